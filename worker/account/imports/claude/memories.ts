/** What Claude remembered: of its person, and of each project. */
import { MEMORY_LENGTH } from "#shared/limits.ts";
import { splitMemories } from "#shared/memory-import.ts";
import type { Archive } from "../archive.ts";
import { importFacts } from "../import-facts.ts";
import { cleanText } from "../chats/external-chat.ts";
import { fieldsOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { importedIdOf } from "../claim-item.ts";
import { addCounts, type ImportResult, counted, type Importing, type PlanItem } from "../source.ts";

/** `memories.json`, or a file for each account. */
const FILES = /(?:^|\/)memories(?:\.json|\/[^/]+\.json)$/;
const BYTES = 8 * 1024 * 1024;
const PASTE = "Paste what it says at Settings, Memory, Import.";

type Memories = { person: string[]; projects: ReadonlyMap<string, string>; unread: string[] };

const read = new WeakMap<Archive, Promise<Memories>>();

/** The files of an archive that say what was remembered. */
export function memoryFiles({ isZip, entries }: Archive): string[] {
  return isZip ? [...entries.keys()].filter((name) => FILES.test(name)) : [];
}

/** Imports what was remembered of the person as facts; that of projects comes with these. */
export async function importClaudeMemories(importing: Importing, item: PlanItem): Promise<ImportResult> {
  const { person, projects, unread } = await memoriesIn(importing.archive);
  const facts = person.flatMap(factsOf);
  const sums = [facts.length > 0 ? await importFacts(importing, facts) : { counts: {}, notes: [] }];
  for (const name of unread) sums.push(lost(name, PASTE));
  for (const key of projects.keys()) {
    if ((await importedIdOf(importing, { kind: "folder", key })) === null)
      sums.push(lost(`${item.name}: ${key}`, "It is of a project that is not in the export."));
  }
  return sums.reduce((sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }));
}

function lost(title: string, reason: string): ImportResult {
  return { counts: counted("memory", "failed"), notes: [{ kind: "memory", title, reason }] };
}

/** What was remembered of a project; empty where that is nothing. */
export async function memoryOfProject(archive: Archive, key: string): Promise<string> {
  return (await memoriesIn(archive)).projects.get(key) ?? "";
}

function memoriesIn(archive: Archive): Promise<Memories> {
  const known = read.get(archive) ?? readMemories(archive);
  read.set(archive, known);
  return known;
}

async function readMemories(archive: Archive): Promise<Memories> {
  const person: string[] = [];
  const projects = new Map<string, string>();
  const unread: string[] = [];
  for (const name of memoryFiles(archive)) {
    const bytes = await archive.read(name, BYTES);
    const listed = bytes && parse(bytes);
    if (!listed) {
      unread.push(name);
      continue;
    }
    let isRead = listed.length === 0;
    for (const one of listed.map(fieldsOrEmpty)) {
      const personText = textOrNull(one.conversations_memory);
      if (personText !== null) person.push(cleanText(personText));
      for (const [key, text] of Object.entries(fieldsOrEmpty(one.project_memories))) {
        if (typeof text === "string" && text.trim() !== "") projects.set(key, cleanText(text));
      }
      isRead ||= personText !== null || Object.hasOwn(one, "project_memories");
    }
    if (!isRead) unread.push(name);
  }
  return { person, projects, unread };
}

function parse(bytes: Uint8Array): readonly unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    // Damaged, which its report says.
    return null;
  }
}

/** A text in paragraphs below headings as facts; a paragraph that is longer than a fact is parted between its sentences. */
export function factsOf(text: string): string[] {
  return splitMemories(text).entries.flatMap((line) => (isHeading(line) ? [] : inParts(line.replaceAll("**", ""))));
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line) || /^\*\*[^*]{1,120}\*\*:?$/.test(line) || /^[-*_=]{3,}$/.test(line);
}

function inParts(line: string): string[] {
  const parts: string[] = [];
  for (const sentence of line.split(/(?<=[.!?。！？])\s+/u)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + sentence.length <= MEMORY_LENGTH) parts[parts.length - 1] = `${last} ${sentence}`;
    else for (let at = 0; at < sentence.length; at += MEMORY_LENGTH) parts.push(sentence.slice(at, at + MEMORY_LENGTH).toWellFormed());
  }
  return parts;
}
