import { openDatabase } from "../db/client.ts";
import { usableKnowledge } from "../knowledge/knowledge.ts";
import { HOW_TO_CITE } from "../tools/page-text.ts";
import type { ToolContext, ToolResult } from "../tools/tool.ts";
import { quoteUntrusted } from "../tools/untrusted.ts";
import { searchHeld } from "./find.ts";
import { holdAll } from "./held.ts";
import { quotePassages } from "./quote-passages.ts";

const PASSAGES = 8;

/** Searches what the turn's reader may still use of the chat's knowledge. */
export async function searchAgain({ query }: { query: string }, context: ToolContext): Promise<ToolResult> {
  const { env, chatId, replyId, reader, contextIds, cite } = context;
  const usable = await usableKnowledge(openDatabase(env.DB), reader.userId, contextIds);
  if (usable.length === 0) return { ok: false, error: "This chat has no knowledge that may be read." };
  const held = await holdAll(env, usable);
  const found = await searchHeld(env, { request: { chatId, replyId, reader, titleModel: null }, query, held, limit: PASSAGES });
  const looked = held.flatMap(({ state }) => state.documents.map(({ name }) => JSON.stringify(name))).slice(0, 50);
  const where = `Looked into ${looked.length === 0 ? "no document, as none is read yet" : looked.join(", ")}.`;
  if (found.length === 0) return { ok: true, output: `${where} Nothing was found. Try other words.` };
  const passages = quotePassages(found, { cite, list: () => [] });
  return { ok: true, output: `${HOW_TO_CITE}\n\n${where}\n\n${quoteUntrusted(passages)}` };
}
