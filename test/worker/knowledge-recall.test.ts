import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { embedTexts } from "#worker/platform/clients/embeddings.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexText } from "#worker/library/passages/index-file.ts";
import { makeLibrary } from "#test/support/made-library.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";

/** Documents, questions, and pages of one long document more. The benchmark asks for more than a test needs (test/bench/c16-knowledge.ts). */
const [DOCUMENTS = 0, QUESTIONS = 0, PAGES = 0] = env.TEST_KNOWLEDGE.split(" ").map(Number);
const AT = 8;
const MODEL = "openai/text-embedding-3-small";

it("knowledge search finds what is asked for among many documents: by words, and better by words and meaning", async () => {
  const user = await signIn();
  const indexId = crypto.randomUUID();
  const index = indexOf(env, indexId);
  const { documents, questions, pages } = makeLibrary({ documents: DOCUMENTS, questions: QUESTIONS, pages: PAGES });
  for (const { id, name, text } of documents) await indexText(env, { indexId, ownerId: user.user.id, document: { id, name } }, text);
  if (PAGES > 0) await indexText(env, { indexId, ownerId: user.user.id, document: { id: "pages", name: "Pages.txt" } }, pages);
  await until("the embeddings to be made", async () => {
    await runDurableObjectAlarm(index);
    return (await index.describe()).embeddings === "done" || null;
  });
  const { vectors } = await embedTexts(env, { model: MODEL, texts: questions.map(({ text }) => text) });
  const found = { words: 0, fused: 0 };
  const times: number[] = [];
  for (const [at, { text, answer, documentId }] of questions.entries()) {
    const isIn = (hits: { text: string; document: { id: string } }[]) =>
      Number(hits.some((hit) => hit.document.id === documentId && hit.text.includes(answer)));
    found.words += isIn(await index.search({ query: text, limit: AT }));
    const begun = performance.now();
    found.fused += isIn(await index.search({ query: text, limit: AT, embedding: { model: MODEL, vector: vectors[at] ?? [] } }));
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const figures = {
    words: (100 * found.words) / questions.length,
    fused: (100 * found.fused) / questions.length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
  // The benchmark reads this line.
  // oxlint-disable-next-line no-console
  console.log(`knowledge-recall ${JSON.stringify(figures)}`);
  expect(figures.words).toBeGreaterThanOrEqual(60);
  expect(figures.fused).toBeGreaterThanOrEqual(75);
  expect(figures.fused).toBeGreaterThan(figures.words);
});
