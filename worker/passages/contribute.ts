import { SEARCH_KNOWLEDGE } from "#shared/private-tools.ts";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { CHARACTERS_PER_TOKEN, fromMicros } from "../credits/money.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { usableKnowledge } from "../knowledge/knowledge.ts";
import { takeUpLost } from "../knowledge/take-up.ts";
import type { FoundPassage } from "../passage-index/rpc.ts";
import { indexOf } from "../passage-index/stub.ts";
import { openCitations } from "../turn/citations.ts";
import type { ContextInput, Contribution, Section } from "../turn/contribution.ts";
import { findPassages, type Spent } from "./find.ts";
import { type Held, holdAll } from "./held.ts";
import { isAboutWhole } from "./about-whole.ts";
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

/** The chat's knowledge that the turn's reader may use now: whole where it fits, else what the question finds in it; nothing of it for anyone else. */
export async function contributeKnowledge({ env, request, settings, question }: ContextInput): Promise<Partial<Contribution>> {
  const { reader, model } = request;
  const db = openDatabase(env.DB);
  const usable = await usableKnowledge(db, reader.userId, settings.context_ids);
  if (usable.length === 0) return {};
  await takeUpLost(env, db, reader.userId, usable);
  const held = await holdAll(env, usable);
  const tools = model.tools ? [SEARCH_KNOWLEDGE] : [];
  const common = { tools, contextIds: usable.map(({ entry }) => entry.id) };
  const asked = question();
  const citations = openCitations(asked.cited);
  const length = held.reduce((sum, { state }) => sum + state.characters, 0);
  const room = Math.min((model.contextLength ?? UNKNOWN_CONTEXT) * CHARACTERS_PER_TOKEN * WHOLE_SHARE, WHOLE_LENGTH);
  const spent = { micros: 0 };
  const lookup = { held, isForeign: holdsForeign(held, reader.userId), spent };
  if (length <= room) {
    const groups = groupPassages(await readAll(env, held, room));
    const text = groups.length === 0 ? "(There is no text in it.)" : quotePassages(groups, citations);
    return { ...common, ...say(lookup, { how: "whole", groups, text }), citations: citations.list() };
  }
  if (isAboutWhole(asked.text)) {
    const sample = sampleOf(held);
    const [parts, found] = await Promise.all([
      readSample(env, sample),
      findPassages(env, { request: { ...request, spent }, question: asked, held, limit: PASSAGES }),
    ]);
    const groups = [...groupPassages(parts), ...found.filter((cited) => !isAmong(cited, parts))];
    return { ...common, ...say(lookup, { how: "parts", groups, text: quotePassages(groups, citations) }), citations: citations.list() };
  }
  const found = await findPassages(env, { request: { ...request, spent }, question: asked, held, limit: PASSAGES });
  const text = found.length === 0 ? "(Nothing was found in it for this question.)" : quotePassages(found, citations);
  return { ...common, ...say(lookup, { how: "passages", groups: found, text }), citations: citations.list() };
}

async function readAll(env: Env, held: readonly Held[], characters: number): Promise<{ contextId: string; passages: FoundPassage[] }[]> {
  return Promise.all(
    held.map(async ({ entry, documentIds }) => ({
      contextId: entry.id,
      passages: await indexOf(env, entry.id).read({ characters, ...(documentIds && { documentIds }) }),
    })),
  );
}

type Sample = { documents: { contextId: string; id: string }[]; limit: number };

/** Documents that stand for all, and how many passages of each. */
function sampleOf(held: readonly Held[]): Sample {
  const documents = held.flatMap(({ entry, state }) => state.documents.map(({ id }) => ({ contextId: entry.id, id }))).slice(0, PARTS);
  return { documents, limit: Math.max(1, Math.floor(PARTS / Math.max(1, documents.length))) };
}

async function readSample(env: Env, { documents, limit }: Sample): Promise<{ contextId: string; passages: FoundPassage[] }[]> {
  return Promise.all(
    documents.map(async ({ contextId, id }) => ({ contextId, passages: await indexOf(env, contextId).sample({ documentId: id, limit }) })),
  );
}

function isAmong({ contextId, passages: [one] }: Cited, parts: readonly Cited[]): boolean {
  return parts.some(
    (part) =>
      part.contextId === contextId && part.passages.some(({ document, start }) => document.id === one?.document.id && start === one.start),
  );
}

type Lookup = { held: readonly Held[]; isForeign: boolean; spent: Spent };
type Given = { how: KnowledgeLook["how"]; groups: readonly Cited[]; text: string };

function say({ held, isForeign, spent }: Lookup, { how, groups, text }: Given): Pick<Contribution, "sections" | "look"> {
  const mark = held[0]?.entry.id ?? "";
  const names = held.map(({ entry }) => JSON.stringify(entry.name)).join(", ");
  const unread = held.flatMap((one) => [...unreadText(one), ...one.files.flatMap(unreadOf), ...one.artifacts.flatMap(unreadArtifact)]);
  const missing = unread.map(({ name, reason }) => `\nNot read: ${JSON.stringify(name)}: ${reason}`).join("");
  const section: Section = {
    kind: how === "whole" ? "knowledge" : "passages",
    text: quoteKnowledge(text, { mark, lead: `${LEADS[how](names, held)}${missing}` }),
    isForeign,
  };
  return {
    sections: [section],
    look: { how, documents: lookedInto(held, groups), unread, ...(spent.micros > 0 && { cost: fromMicros(spent.micros) }) },
  };
}

const LEADS: Record<KnowledgeLook["how"], (names: string, held: readonly Held[]) => string> = {
  whole: (names) => `The person gave this chat their knowledge ${names}, all of which follows.`,
  passages: (names) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole: the passages found for this question follow. What is not among them may still stand elsewhere in it.`,
  parts: (names, held) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole (${describeSizes(held)}): the beginning of each document, passages spread over the rest and those found for this question follow.${describeRest(held)} Say that you read these parts alone, and which.`,
};

function describeSizes(held: readonly Held[]): string {
  return held
    .flatMap(({ state }) => state.documents)
    .slice(0, PARTS)
    .map(({ name, pages, characters }) => `${JSON.stringify(name)}: ${pages === null ? `${characters} characters` : `${pages} pages`}`)
    .join(", ");
}

function describeRest(held: readonly Held[]): string {
  const rest = held.flatMap(({ state }) => state.documents).slice(PARTS);
  if (rest.length === 0) return "";
  const names = rest.slice(0, PARTS).map(({ name }) => JSON.stringify(name));
  const more = rest.length > names.length ? ` and ${rest.length - names.length} more` : "";
  return ` Left out at the beginning are the documents ${names.join(", ")}${more}.`;
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

/** An entry's own text is in its index a moment after it was written. */
function unreadText({ entry, state }: Held): KnowledgeLook["unread"] {
  if (entry.beginning === "" || state.documents.some(({ id }) => id === entry.id)) return [];
  return [{ name: entry.name, reason: "Its text is still being read." }];
}

function unreadOf({ file_name: name, sync_status: status, unread }: Held["files"][number]): KnowledgeLook["unread"] {
  if (unread !== null) return [{ name, reason: unread }];
  return status === "pending" ? [{ name, reason: "This file is still being read." }] : [];
}

function unreadArtifact({ title: name, sync_status: status, isIndexed }: Held["artifacts"][number]): KnowledgeLook["unread"] {
  if (status === "synced") return [];
  return [
    { name, reason: isIndexed ? "It changed a moment ago: what was read stood there before." : "This artifact is still being read." },
  ];
}

/** What the reader typed into an entry of their own is theirs; a file is whoever's wrote it. */
function holdsForeign(held: readonly Held[], userId: string): boolean {
  return held.some(({ entry, state }) => entry.is_foreign || entry.user_id !== userId || state.documents.some(({ id }) => id !== entry.id));
}
