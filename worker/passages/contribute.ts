import { SEARCH_KNOWLEDGE } from "#shared/private-tools.ts";
import { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { CHARACTERS_PER_TOKEN } from "../credits/money.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { type UsableKnowledge, usableKnowledge } from "../knowledge/knowledge.ts";
import type { FoundPassage, IndexState } from "../passage-index/rpc.ts";
import { indexOf } from "../passage-index/stub.ts";
import { openCitations } from "../turn/citations.ts";
import type { ContextInput, Contribution, Section } from "../turn/contribution.ts";
import { findPassages } from "./find.ts";
import { isAboutWhole } from "./question.ts";
import { type Cited, groupPassages, quoteKnowledge, quotePassages } from "./quote-passages.ts";

/** Of a model's context so much may be filled with knowledge that goes in whole (an eighth), and never more characters than a turn's row holds. */
const WHOLE_SHARE = 1 / 8;
const WHOLE_LENGTH = 300_000;
/** What a model whose context is unknown is taken to read, in tokens. */
const UNKNOWN_CONTEXT = 32_000;
/** Passages for one question. */
const PASSAGES = 8;
/** Passages of all documents together that stand for a whole that is too long. */
const PARTS = 24;

/** An entry with what its index holds. */
export type Held = UsableKnowledge & { state: IndexState };

/** The chat's knowledge that the turn's reader may use now: whole where it fits, else what the question finds in it; nothing of it for anyone else. */
export async function contributeKnowledge({ env, request, settings, question }: ContextInput): Promise<Partial<Contribution>> {
  const { reader, model } = request;
  const usable = await usableKnowledge(openDatabase(env.DB), reader.userId, settings.context_ids);
  if (usable.length === 0) return {};
  const held = await Promise.all(usable.map(async (entry) => ({ ...entry, state: await indexOf(env, entry.entry.id).describe() })));
  const tools = model.tools ? [SEARCH_KNOWLEDGE] : [];
  const common = { tools, contextIds: usable.map(({ entry }) => entry.id) };
  const asked = question();
  const citations = openCitations(asked.cited);
  const length = held.reduce((sum, { state }) => sum + state.characters, 0);
  const room = Math.min((model.contextLength ?? UNKNOWN_CONTEXT) * CHARACTERS_PER_TOKEN * WHOLE_SHARE, WHOLE_LENGTH);
  const told = { held, isForeign: isForeign(held, reader.userId) };
  if (length <= room) {
    const groups = groupPassages(await readAll(env, held, room));
    const text = groups.length === 0 ? "(There is no text in it.)" : quotePassages(groups, citations);
    return { ...common, ...say(told, { how: "whole", groups, text }), citations: citations.list() };
  }
  if (isAboutWhole(asked.text)) {
    const groups = groupPassages(await sampleAll(env, held));
    return { ...common, ...say(told, { how: "parts", groups, text: quotePassages(groups, citations) }), citations: citations.list() };
  }
  const found = await findPassages(env, { request, question: asked, held, limit: PASSAGES });
  const text = found.length === 0 ? "(Nothing was found in it for this question.)" : quotePassages(found, citations);
  return { ...common, ...say(told, { how: "passages", groups: found, text }), citations: citations.list() };
}

async function readAll(env: Env, held: readonly Held[], characters: number): Promise<{ contextId: string; passages: FoundPassage[] }[]> {
  return Promise.all(held.map(async ({ entry }) => ({ contextId: entry.id, passages: await indexOf(env, entry.id).read({ characters }) })));
}

async function sampleAll(env: Env, held: readonly Held[]): Promise<{ contextId: string; passages: FoundPassage[] }[]> {
  const documents = held.reduce((sum, { state }) => sum + state.documents.length, 0);
  const limit = Math.max(2, Math.floor(PARTS / Math.max(1, documents)));
  return Promise.all(
    held.map(async ({ entry, state }) => {
      const parts = state.documents.slice(0, PARTS).map(({ id }) => indexOf(env, entry.id).sample({ documentId: id, limit }));
      return { contextId: entry.id, passages: (await Promise.all(parts)).flat() };
    }),
  );
}

type Told = { held: readonly Held[]; isForeign: boolean };
type Given = { how: KnowledgeLook["how"]; groups: readonly Cited[]; text: string };

function say({ held, isForeign }: Told, { how, groups, text }: Given): Pick<Contribution, "sections" | "look"> {
  const mark = held[0]?.entry.id ?? "";
  const names = held.map(({ entry }) => JSON.stringify(entry.name)).join(", ");
  const unread = held.flatMap(({ files }) => files.flatMap((file) => unreadOf(file)));
  const missing = unread.map(({ name, reason }) => `\nNot read: ${JSON.stringify(name)}: ${reason}`).join("");
  const section: Section = {
    kind: how === "whole" ? "knowledge" : "passages",
    text: quoteKnowledge(text, { mark, lead: `${LEADS[how](names, held)}${missing}` }),
    isForeign,
  };
  return { sections: [section], look: { how, documents: lookedInto(held, groups), unread } };
}

const LEADS: Record<KnowledgeLook["how"], (names: string, held: readonly Held[]) => string> = {
  whole: (names) => `The person gave this chat their knowledge ${names}, all of which follows.`,
  passages: (names) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole: the passages found for this question follow. What is not among them may still stand elsewhere in it.`,
  parts: (names, held) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole (${describeSizes(held)}): the beginning of each document and passages spread over the rest follow. Say that you read these parts alone, and which.`,
};

function describeSizes(held: readonly Held[]): string {
  return held
    .flatMap(({ state }) => state.documents)
    .slice(0, PARTS)
    .map(({ name, pages, characters }) => `${JSON.stringify(name)}: ${pages === null ? `${characters} characters` : `${pages} pages`}`)
    .join(", ");
}

function lookedInto(held: readonly Held[], groups: readonly Cited[]): KnowledgeLook["documents"] {
  return held.flatMap(({ entry, state }) =>
    state.documents.map(({ id, name }) => ({
      context_id: entry.id,
      name,
      found: groups
        .filter(({ contextId }) => contextId === entry.id)
        .flatMap(({ passages }) => passages)
        .filter(({ document }) => document.id === id).length,
    })),
  );
}

function unreadOf({ file_name: name, sync_status: status, unread }: UsableKnowledge["files"][number]): KnowledgeLook["unread"] {
  if (unread !== null) return [{ name, reason: unread }];
  return status === "pending" ? [{ name, reason: "This file is still being read." }] : [];
}

/** What the reader typed into an entry of their own is theirs; a file is whoever's wrote it. */
function isForeign(held: readonly Held[], userId: string): boolean {
  return held.some(({ entry, state }) => entry.is_foreign || entry.user_id !== userId || state.documents.some(({ id }) => id !== entry.id));
}
