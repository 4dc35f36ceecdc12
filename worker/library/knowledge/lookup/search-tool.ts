import { openDatabase } from "#worker/platform/db/client.ts";
import { usableKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { HOW_TO_CITE } from "#worker/platform/texts/page-text.ts";
import type { LibraryTurn, ToolAnswer } from "#worker/library/contribution.ts";
import type { Env } from "#worker/platform/env.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { searchEntries } from "#worker/library/passages/find.ts";
import { describeEntries } from "./indexed-entries.ts";
import { quotePassages } from "#worker/library/passages/quote-passages.ts";

const PASSAGES = 8;

type Searching = Pick<LibraryTurn["request"], "chatId" | "replyId" | "reader"> & {
  env: Env;
  /** The chat's knowledge entries that the turn's reader could use when it began. */
  knowledgeIds: readonly string[];
  /** Notes a source and answers its number in the reply's citations. */
  cite(source: { url: string; title: string | null }): number;
};

/** Searches what the turn's reader may still use of the chat's knowledge. */
export async function searchAgain({ query }: { query: string }, context: Searching): Promise<ToolAnswer> {
  const { env, chatId, replyId, reader, knowledgeIds, cite } = context;
  const usable = await usableKnowledge(openDatabase(env.DB), reader.userId, knowledgeIds);
  if (usable.length === 0) return { ok: false, error: "This chat has no knowledge that may be read." };
  const entries = await describeEntries(env, usable);
  const found = await searchEntries(env, {
    request: { chatId, replyId, reader, titleModel: null },
    query,
    entries: entries,
    limit: PASSAGES,
  });
  const documentNames = entries.flatMap(({ state }) => state.documents.map(({ name }) => JSON.stringify(name))).slice(0, 50);
  const where = `Looked into ${documentNames.length === 0 ? "no document, as none is read yet" : documentNames.join(", ")}.`;
  if (found.length === 0) return { ok: true, output: `${where} Nothing was found. Try other words.` };
  const passages = quotePassages(found, { cite, list: () => [] });
  return { ok: true, output: `${HOW_TO_CITE}\n\n${where}\n\n${quoteUntrusted(passages)}` };
}
