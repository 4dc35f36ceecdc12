/** What ChatGPT's and Claude's exports have in common: arrays of conversations, each one chat. */
import type { ImportSource } from "#shared/imports/import.ts";
import type { Archive } from "../archive.ts";
import { addCounts, type ImportResult, type Importing, type Plan, type PlanItem, type Source, unreadable } from "../source.ts";
import { readItemText, splitText } from "../split-text.ts";
import { importConversation } from "./import-conversation.ts";
import type { ExternalChat } from "./external-chat.ts";
import { type ModelNames, readModelNames } from "./model-names.ts";

/** What newer exports of large accounts have many of: `conversations-000.json`. */
const CONVERSATIONS = /(?:^|\/)conversations(?:[-_]\d+)?\.json$/i;
/** A conversation says what it is within so many bytes, its title and times before that. */
const SAMPLE_BYTES = 256 * 1024;

type Kind = {
  id: ImportSource;
  /** What each of its conversations has and no other's do. */
  field: string;
  /** Names of files that its ZIPs have besides. */
  beside: readonly string[];
  /** Files that an archive may have without any conversation, and what one of them says near its beginning. */
  alone?: { files: (archive: Archive) => readonly string[]; says: RegExp };
  /** What else there is in the archive, to be imported before the conversations. */
  planFirst?: (importing: Importing, plan: Plan) => Promise<void>;
  /** What else a conversation says. */
  importExtras?: (importing: Importing, place: number, chat: ExternalChat) => Promise<ImportResult>;
  importOther?: (importing: Importing, item: PlanItem, place: number) => Promise<ImportResult>;
  /** Reads a conversation; a sentence where it is none. */
  read(json: unknown, context: { archive: Archive; models: ModelNames }): ExternalChat | string;
};

/** The files of conversations in an archive; one file alone is taken for one. */
export function conversationFiles({ isZip, entries }: Archive): string[] {
  const names = [...entries.keys()];
  return isZip ? names.filter((name) => CONVERSATIONS.test(name)).toSorted() : names;
}

export function conversationSource({ id, field, beside, alone, planFirst, importOther, importExtras, read }: Kind): Source {
  // Within a text a quote would stand behind a backslash.
  const says = new RegExp(`"${field}"\\s*:`);
  return {
    id,
    async recognize(archive) {
      const [first] = conversationFiles(archive);
      if (first === undefined) {
        const [other] = alone?.files(archive) ?? [];
        return other !== undefined && alone !== undefined && alone.says.test(await headOf(archive, other));
      }
      const head = await headOf(archive, first);
      return says.test(head) || (/^\uFEFF?\s*\[\s*\]/.test(head) && beside.some((name) => hasFile(archive, name)));
    },
    async plan(importing) {
      const plan: Plan = { items: [], notes: [], counts: {} };
      await planFirst?.(importing, plan);
      const files = conversationFiles(importing.archive);
      for (const name of files) await splitText(importing, name, { kind: "chat", place: files.length === 1 ? "the file" : name }, plan);
      return plan;
    },
    async importItem(importing, item, place) {
      if (item.kind !== "chat" && importOther) return importOther(importing, item, place);
      const models = await readModelNames(importing.env);
      const text = await readItemText(importing, item);
      const chat = readConversation(text, (json) => read(json, { archive: importing.archive, models }));
      if (typeof chat === "string") return unreadable(item, chat);
      const [came, besides] = [await importConversation(importing, place, chat), await importExtras?.(importing, place, chat)];
      return besides ? { counts: addCounts(came.counts, besides.counts), notes: [...came.notes, ...besides.notes] } : came;
    },
  };
}

async function headOf(archive: Archive, name: string): Promise<string> {
  return new TextDecoder().decode((await archive.read(name, SAMPLE_BYTES)) ?? new Uint8Array());
}

function hasFile({ entries }: Archive, name: string): boolean {
  return [...entries.keys()].some((entry) => entry === name || entry.endsWith(`/${name}`));
}

/** Whatever a file makes its reader throw is that conversation's own trouble. */
function readConversation(text: string, read: (json: unknown) => ExternalChat | string): ExternalChat | string {
  try {
    return read(JSON.parse(text));
  } catch {
    return "It could not be read: this part of the file is damaged.";
  }
}
