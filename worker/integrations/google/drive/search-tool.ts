import { openDatabase } from "#worker/platform/db/client.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { searchParts } from "#worker/library/passages/find.ts";
import { type Cited, quotePassages } from "#worker/library/passages/quote-passages.ts";
import { DRIVE_CONTEXT } from "#shared/knowledge-citations.ts";
import { HOW_TO_CITE } from "#worker/platform/texts/page-text.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import { hasDriveIndex } from "./queries.ts";
import { shardsOf } from "./index-shards.ts";

const PASSAGES = 8;

/** Searches the Drive of the turn's reader, as far as it is indexed. */
export async function searchDrive({ query }: { query: string }, context: ToolContext): Promise<ToolResult> {
  const { env, chatId, replyId, reader, cite } = context;
  if (!(await hasDriveIndex(openDatabase(env.DB), reader.userId)))
    return { ok: false, error: "This person's Google Drive is not indexed. They can connect and index it in the settings, under Tools." };
  const indexes = await Promise.all(
    shardsOf(reader.userId).map(async (id) => ({ entry: { id }, state: { model: await indexOf(env, id).searchModel() } })),
  );
  const hits = await searchParts(env, {
    request: { chatId, replyId, reader, titleModel: null },
    query,
    entries: indexes,
    limit: PASSAGES * 2,
  });
  const found = (await withKnownFiles(context, hits)).slice(0, PASSAGES);
  if (found.length === 0) return { ok: true, output: `${await howFar(context)} Nothing was found. Try other words.` };
  const passages = quotePassages(
    found.map((cited) => ({ ...cited, entryId: DRIVE_CONTEXT })),
    { cite, list: () => [] },
  );
  return { ok: true, output: `${HOW_TO_CITE}\n\n${quoteUntrusted(passages)}` };
}

/** What a reader left behind that came too late is nobody's any more. */
async function withKnownFiles({ env, reader }: ToolContext, hits: Cited[]): Promise<Cited[]> {
  const ids = [...new Set(hits.flatMap(({ passages }) => passages.map(({ document }) => document.id)))];
  const known = new Set(await driveIndexOf(env, reader.userId).indexedAmong(ids));
  return hits.filter(({ passages }) => passages.every(({ document }) => known.has(document.id)));
}

async function howFar({ env, reader }: ToolContext): Promise<string> {
  const state = await driveIndexOf(env, reader.userId).state();
  const isRunning = state?.phase === "listing" || state?.phase === "reading";
  return `Searched ${state?.indexed ?? 0} files${isRunning ? "; more are still being indexed" : ""}.`;
}
