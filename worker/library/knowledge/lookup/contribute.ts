import { SEARCH_KNOWLEDGE } from "#shared/private-tools.ts";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { CHARACTERS_PER_TOKEN, fromMicros } from "#worker/platform/spending/money.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { usableKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { resumeLostReadings } from "#worker/library/knowledge/resume-lost.ts";
import type { FoundPassage } from "#worker/library/passages/passage-index/rpc.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { openCitations } from "#worker/library/passages/citations.ts";
import type { LibraryTurn, LibraryContribution, Section } from "#worker/library/contribution.ts";
import { findPassages, type Spent } from "#worker/library/passages/find.ts";
import { type IndexedEntry, describeEntries } from "./indexed-entries.ts";
import { isAboutEntireText } from "#worker/library/passages/about-entire-text.ts";
import { type Cited, groupPassages, quoteKnowledge, quotePassages } from "#worker/library/passages/quote-passages.ts";

/** Of a model's context so much may be filled with knowledge that goes in whole (an eighth), and never more characters than a turn's row holds. */
const FULL_TEXT_SHARE = 1 / 8;
const FULL_TEXT_LENGTH_MAX = 300_000;
/** What a model whose context is unknown is taken to read, in tokens. */
const UNKNOWN_CONTEXT = 32_000;
/** Passages for one question. */
const PASSAGES = 8;
/** Passages of all documents together that stand for a whole that is too long. */
const PARTS = 24;

/** The chat's knowledge that the turn's reader may use now: whole where it fits, else what the question finds in it; nothing of it for anyone else. */
export async function contributeKnowledge({ env, request, settings, question }: LibraryTurn): Promise<Partial<LibraryContribution>> {
  const { reader, model } = request;
  const db = openDatabase(env.DB);
  const usable = await usableKnowledge(db, reader.userId, settings.context_ids);
  if (usable.length === 0) return {};
  await resumeLostReadings(env, db, reader.userId, usable);
  const entries = await describeEntries(env, usable);
  const tools = model.tools ? [SEARCH_KNOWLEDGE] : [];
  const common = { tools, knowledgeIds: usable.map(({ entry }) => entry.id) };
  const asked = question();
  const citations = openCitations(asked.cited);
  const length = entries.reduce((sum, { state }) => sum + state.characters, 0);
  const room = Math.min((model.contextLength ?? UNKNOWN_CONTEXT) * CHARACTERS_PER_TOKEN * FULL_TEXT_SHARE, FULL_TEXT_LENGTH_MAX);
  const spent = { micros: 0 };
  const lookup = { entries, isUntrusted: hasTextOfOthers(entries, reader.userId), spent };
  if (length <= room) {
    const groups = groupPassages(await readAll(env, entries, room));
    const text = groups.length === 0 ? "(There is no text in it.)" : quotePassages(groups, citations);
    return { ...common, ...say(lookup, { how: "whole", groups, text }), citations: citations.list() };
  }
  if (isAboutEntireText(asked.text)) {
    const sample = sampleOf(entries);
    const [parts, found] = await Promise.all([
      readSample(env, sample),
      findPassages(env, { request: { ...request, spent }, question: asked, entries, limit: PASSAGES }),
    ]);
    const groups = [...groupPassages(parts), ...found.filter((cited) => !isAmong(cited, parts))];
    return { ...common, ...say(lookup, { how: "parts", groups, text: quotePassages(groups, citations) }), citations: citations.list() };
  }
  const found = await findPassages(env, { request: { ...request, spent }, question: asked, entries, limit: PASSAGES });
  const text = found.length === 0 ? "(Nothing was found in it for this question.)" : quotePassages(found, citations);
  return { ...common, ...say(lookup, { how: "passages", groups: found, text }), citations: citations.list() };
}

async function readAll(
  env: Env,
  entries: readonly IndexedEntry[],
  characters: number,
): Promise<{ entryId: string; passages: FoundPassage[] }[]> {
  return Promise.all(
    entries.map(async ({ entry, documentIds }) => ({
      entryId: entry.id,
      passages: await indexOf(env, entry.id).read({ characters, ...(documentIds && { documentIds }) }),
    })),
  );
}

type Sample = { documents: { entryId: string; id: string }[]; limit: number };

/** Documents that stand for all, and how many passages of each. */
function sampleOf(entries: readonly IndexedEntry[]): Sample {
  const documents = entries.flatMap(({ entry, state }) => state.documents.map(({ id }) => ({ entryId: entry.id, id }))).slice(0, PARTS);
  return { documents, limit: Math.max(1, Math.floor(PARTS / Math.max(1, documents.length))) };
}

async function readSample(env: Env, { documents, limit }: Sample): Promise<{ entryId: string; passages: FoundPassage[] }[]> {
  return Promise.all(
    documents.map(async ({ entryId, id }) => ({ entryId, passages: await indexOf(env, entryId).sample({ documentId: id, limit }) })),
  );
}

function isAmong({ entryId, passages: [one] }: Cited, parts: readonly Cited[]): boolean {
  return parts.some(
    (part) =>
      part.entryId === entryId && part.passages.some(({ document, start }) => document.id === one?.document.id && start === one.start),
  );
}

type Lookup = { entries: readonly IndexedEntry[]; isUntrusted: boolean; spent: Spent };
type Given = { how: KnowledgeLook["how"]; groups: readonly Cited[]; text: string };

function say({ entries, isUntrusted, spent }: Lookup, { how, groups, text }: Given): Pick<LibraryContribution, "sections" | "look"> {
  const mark = entries[0]?.entry.id ?? "";
  const names = entries.map(({ entry }) => JSON.stringify(entry.name)).join(", ");
  const unread = entries.flatMap((one) => [...unreadText(one), ...one.files.flatMap(unreadOf), ...one.artifacts.flatMap(unreadArtifact)]);
  const missing = unread.map(({ name, reason }) => `\nNot read: ${JSON.stringify(name)}: ${reason}`).join("");
  const section: Section = {
    kind: how === "whole" ? "knowledge" : "passages",
    text: quoteKnowledge(text, { mark, lead: `${LEADS[how](names, entries)}${missing}` }),
    isUntrusted,
    entryIds: entries.map(({ entry }) => entry.id),
  };
  return {
    sections: [section],
    look: { how, documents: searchedDocuments(entries, groups), unread, ...(spent.micros > 0 && { cost: fromMicros(spent.micros) }) },
  };
}

const LEADS: Record<KnowledgeLook["how"], (names: string, entries: readonly IndexedEntry[]) => string> = {
  whole: (names) => `The person gave this chat their knowledge ${names}, all of which follows.`,
  passages: (names) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole: the passages found for this question follow. What is not among them may still stand elsewhere in it.`,
  parts: (names, entries) =>
    `The person gave this chat their knowledge ${names}, which is too long to be read whole (${describeSizes(entries)}): the beginning of each document, passages spread over the rest and those found for this question follow.${describeRest(entries)} Say that you read these parts alone, and which.`,
};

function describeSizes(entries: readonly IndexedEntry[]): string {
  return entries
    .flatMap(({ state }) => state.documents)
    .slice(0, PARTS)
    .map(({ name, pages, characters }) => `${JSON.stringify(name)}: ${pages === null ? `${characters} characters` : `${pages} pages`}`)
    .join(", ");
}

function describeRest(entries: readonly IndexedEntry[]): string {
  const rest = entries.flatMap(({ state }) => state.documents).slice(PARTS);
  if (rest.length === 0) return "";
  const names = rest.slice(0, PARTS).map(({ name }) => JSON.stringify(name));
  const more = rest.length > names.length ? ` and ${rest.length - names.length} more` : "";
  return ` Left out at the beginning are the documents ${names.join(", ")}${more}.`;
}

function searchedDocuments(entries: readonly IndexedEntry[], groups: readonly Cited[]): KnowledgeLook["documents"] {
  return entries.flatMap(({ entry, state }) =>
    state.documents.map(({ id, name }) => ({
      context_id: entry.id,
      name,
      found: groups
        .filter(({ entryId }) => entryId === entry.id)
        .flatMap(({ passages }) => passages)
        .filter(({ document }) => document.id === id).length,
    })),
  );
}

/** An entry's own text is in its index a moment after it was written. */
function unreadText({ entry, state }: IndexedEntry): KnowledgeLook["unread"] {
  if (entry.beginning === "" || state.documents.some(({ id }) => id === entry.id)) return [];
  return [{ name: entry.name, reason: "Its text is still being read." }];
}

function unreadOf({ file_name: name, sync_status: status, unread }: IndexedEntry["files"][number]): KnowledgeLook["unread"] {
  if (unread !== null) return [{ name, reason: unread }];
  return status === "pending" ? [{ name, reason: "This file is still being read." }] : [];
}

function unreadArtifact({ title: name, sync_status: status, isIndexed }: IndexedEntry["artifacts"][number]): KnowledgeLook["unread"] {
  if (status === "synced") return [];
  return [
    { name, reason: isIndexed ? "It changed a moment ago: what was read stood there before." : "This artifact is still being read." },
  ];
}

/** What the reader typed into an entry of their own is theirs; a file is whoever's wrote it. */
function hasTextOfOthers(entries: readonly IndexedEntry[], userId: string): boolean {
  return entries.some(
    ({ entry, state }) => entry.is_untrusted || entry.user_id !== userId || state.documents.some(({ id }) => id !== entry.id),
  );
}
