import { env } from "cloudflare:workers";
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { expect, it } from "vitest";
import { putAttachment } from "#shared/contracts/chat/attachments.ts";
import { cjkFont, fontPdf, utf16 } from "#test/support/cjk-pdfs.ts";
import { pdf } from "#test/support/office-files.ts";
import { page } from "#test/support/pdf-objects.ts";
import { signIn } from "#test/support/worker.ts";
import { fromBytes } from "#worker/library/attachments/readers/byte-source.ts";
import { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";
import { awaitReading } from "#worker/library/attachments/read-upload.ts";
import { runJobs } from "#worker/jobs.ts";

/** The platform's static files, and the paths that were asked for. */
function countedAssets() {
  const asked: string[] = [];
  const fetch: Fetcher["fetch"] = (input, init) => {
    asked.push(new URL(input instanceof Request ? input.url : input).pathname.replace(/^.*\/(?=.*\/)/, ""));
    return env.ASSETS.fetch(input, init);
  };
  return { asked, fetch };
}

async function textOf(bytes: Uint8Array, assets: Pick<Fetcher, "fetch"> = env.ASSETS): Promise<string> {
  const found = await readFileText("pdf", fromBytes(bytes), assets);
  return found.ok ? found.text : `refused: ${found.reason}`;
}

it.each([
  ["UniGB-UCS2-H", "GB1", utf16("你好，世界"), "你好，世界"],
  ["UniGB-UTF16-V", "GB1", utf16("你好"), "你好"],
  ["GBK-EUC-H", "GB1", "c4e3bac3", "你好"],
  ["UniCNS-UTF16-H", "CNS1", utf16("繁體"), "繁體"],
  ["ETen-B5-H", "CNS1", "c163c5e9", "繁體"],
  ["90ms-RKSJ-H", "Japan1", "93fa967b8cea414243", "日本語ABC"],
  ["UniJIS-UTF16-H", "Japan1", utf16("日本語"), "日本語"],
  ["EUC-H", "Japan1", "c6fccbdc", "日本"],
  ["KSCms-UHC-H", "Korea1", "c7d1b1db", "한글"],
  ["UniKS-UCS2-H", "Korea1", utf16("한글"), "한글"],
  ["Identity-H", "Japan1", "0e8a", "本"],
])("a PDF in Chinese, Japanese or Korean that names the table of characters %s is read", async (table, characters, hex, text) => {
  expect(await textOf(fontPdf(cjkFont(`/${table}`, characters), hex))).toBe(`[Page 1]\n${text}`);
});

it("a PDF in Chinese, Japanese or Korean that adds codes of its own to a table is read", async () => {
  const own = { dictionary: "", data: "/UniGB-UCS2-H usecmap 1 begincidchar <0001> 3795 endcidchar" };
  expect(await textOf(fontPdf(cjkFont("8 0 R", "GB1"), `0001${utf16("好")}`, [own]))).toBe("[Page 1]\n文好");
});

it("a PDF in Chinese, Japanese or Korean is read where it is uploaded", async () => {
  const client = await signIn();
  const chatId = crypto.randomUUID();
  const body = fontPdf(cjkFont("/UniGB-UCS2-H", "GB1"), utf16("你好"));
  const put = await client.fetch(`/api/chat/${chatId}/attachments/${crypto.randomUUID()}?name=a.pdf`, { method: "PUT", body });
  expect(putAttachment.response?.parse(await put.json()).attachment).toMatchObject({ unread: null });
  const { objects } = await env.FILES.list({ prefix: `chats/${chatId}/` });
  const storedTexts = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  expect(storedTexts).toContain("[Page 1]\n你好");
});

it("a PDF in Chinese, Japanese or Korean asks for each table once, for however many fonts, and a PDF that needs none for nothing", async () => {
  const { asked, fetch } = countedAssets();
  await textOf(pdf("in English"), { fetch });
  expect(asked).toEqual([]);
  const numbers = Array.from({ length: 1_000 }, (_, n) => n);
  const many = page({
    before: "",
    contents: "7 0 R",
    fonts: numbers.map((n) => `/T${n} ${8 + n} 0 R`).join(" "),
    objects: [
      { dictionary: "", data: numbers.map((n) => `BT /T${n} 9 Tf 9 9 Td <93fa> Tj ET`).join("\n") },
      ...numbers.map(() => cjkFont("/90ms-RKSJ-H", "Japan1")),
    ],
  });
  expect((await textOf(many, { fetch })).replaceAll(/\s/g, "")).toBe(`[Page1]${"日".repeat(1_000)}`);
  expect(asked.toSorted()).toEqual(["cmaps/90ms-RKSJ-H.bcmap", "cmaps/Adobe-Japan1-UCS2.bcmap"]);
});

it("a PDF in Chinese, Japanese or Korean whose table is not to be had is tried again, and then said to be unread", async () => {
  const job = { kind: "file.read" as const, key: `chats/${crypto.randomUUID()}/attachments/a/b`, format: "pdf" as const };
  const bytes = fontPdf(cjkFont("/UniGB-UCS2-H", "GB1"), utf16("你好"));
  await env.FILES.put(job.key, bytes);
  const run = async (attempts: number, assets: Pick<Fetcher, "fetch">) => {
    const body = { ...job, size: bytes.byteLength };
    const batch = createMessageBatch("polylogue-reads", [{ id: "job", timestamp: new Date(), attempts, body }]);
    await runJobs(batch, { ...env, ASSETS: { ...env.ASSETS, fetch: assets.fetch } });
    return getQueueResult(batch, createExecutionContext());
  };
  const broken = { fetch: async () => new Response(null, { status: 503 }) };
  expect(await run(1, broken)).toMatchObject({ explicitAcks: [], retryMessages: [{ msgId: "job" }] });
  expect(await run(2, countedAssets())).toMatchObject({ explicitAcks: ["job"] });
  expect(await awaitReading(env.FILES, job.key, 0)).toMatchObject({ ok: true, text: "[Page 1]\n你好" });
  // What was read stays read, however often it is delivered.
  expect(await run(3, broken)).toMatchObject({ explicitAcks: ["job"] });
  expect(await awaitReading(env.FILES, job.key, 0)).toMatchObject({ ok: true });
  job.key += "2";
  await env.FILES.put(job.key, bytes);
  expect(await run(3, broken)).toMatchObject({ explicitAcks: ["job"] });
  expect(await awaitReading(env.FILES, job.key, 0)).toEqual({ ok: false, reason: "This file could not be read." });
});

it("a PDF of symbols is read with the font that comes along", async () => {
  const { asked, fetch } = countedAssets();
  expect(await textOf(fontPdf("<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>", "616264"), { fetch })).toBe("[Page 1]\nαβδ");
  expect(asked).toEqual(["standard_fonts/FoxitSymbol.pfb"]);
});
