import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import * as z from "zod";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { downloadUsage } from "#shared/contracts/account/usage.ts";
import { readReply, settledOf, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

/** It reads 16,384 tokens: two messages of this length fit, three do not. */
const SMALL_MODEL = "microsoft/phi-4";
const FILLER = "x".repeat(20_000);

const Requests = z.array(z.object({ body: z.unknown() }));
const Prompt = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** The prompts that the aggregator got with this word in them, in order. */
async function promptsWith(word: string) {
  const response = await fetch(`${new URL(env.AGGREGATOR_SIMULATOR).origin}/control/requests`);
  const requests = Requests.parse(await response.json());
  return requests.flatMap(({ body }) => {
    const prompt = Prompt.safeParse(body).data?.messages;
    return prompt?.some(({ content }) => content.includes(word)) ? [prompt] : [];
  });
}

async function longChat(user: Client, word: string) {
  const chat = await startChatAndRead(user, `${word} one\n${FILLER}\nsay First.`, SMALL_MODEL);
  const second = await ask(user, { ...chat, content: `${word} two\n${FILLER}\nsay Second.` });
  return { ...chat, replyId: second.replyId };
}

async function ask(user: Client, { chatId, replyId: parentId, content }: { chatId: string; replyId: string; content: string }) {
  const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: SMALL_MODEL };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received).status).toBe("done");
  const compactions = received.flatMap(({ event }) => (event.type === "compaction" ? [event.compaction] : []));
  return { chatId, replyId, compactions, text: textOf(received) };
}

const isSummary = (prompt: { content: string }[]) => prompt[0]?.content.includes("earlier part of a conversation") ?? false;

it("A path that outgrows its model is summarised once, shown, charged, and kept whole beside its summary", async () => {
  const user = await signIn();
  const word = crypto.randomUUID();
  const chat = await longChat(user, word);
  const third = await ask(user, { ...chat, content: `${word} three\n${FILLER}\nsay Third.` });
  expect(third.compactions).toMatchObject([
    { status: "running", messages: 4, summary: null },
    { status: "done", messages: 4, summary: expect.stringContaining(`${word} one`) },
  ]);
  const fourth = await ask(user, { ...third, content: `${word} four\nsay Fourth.` });
  expect(fourth).toMatchObject({ compactions: [], text: "Fourth." });

  const prompts = await promptsWith(word);
  expect(prompts.filter(isSummary)).toHaveLength(1);
  const last = prompts.findLast((prompt) => prompt.at(-1)?.content.includes("four")) ?? [];
  expect(last.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(last[1]?.content).toContain(third.compactions[1]?.summary);
  expect(last[1]?.content).toContain(`${word} three`);

  const { messages } = await user.take(listMessages, { params: { id: chat.chatId }, query: {} });
  expect(messages).toHaveLength(8);
  expect(messages.flatMap(({ id, compaction }) => (compaction ? [{ id, ...compaction }] : []))).toEqual([
    { id: third.replyId, ...third.compactions[1] },
  ]);
  await until("the ledger's entry", async () => {
    const entries = (await (await user.fetch(downloadUsage.path)).text()).split("\n").filter((line) => line.includes("compaction"));
    return entries.length === 1 && entries[0]?.includes(chat.chatId);
  });
});

it("A summary that cannot be made leaves the older messages out, and says so", async () => {
  const user = await signIn();
  const word = `cannot be summarised ${crypto.randomUUID()}`;
  const chat = await longChat(user, word);
  const third = await ask(user, { ...chat, content: `${word} three\n${FILLER}\nsay Third.` });
  expect(third).toMatchObject({ text: "Third.", compactions: [{ status: "running" }, { status: "failed", messages: 4, summary: null }] });
  const answered = (await promptsWith(word)).findLast((prompt) => !isSummary(prompt) && prompt.at(-1)?.content.includes("three")) ?? [];
  expect(answered).toHaveLength(2);
  expect(answered[1]?.content).toContain("are left out");
  expect(answered[1]?.content).toContain("three");
});
