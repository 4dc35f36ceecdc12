/** What a user's memory can be asked for, and what it answers. */
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Memory, MemoryImport, MemoryVersion } from "#shared/entities/memory.ts";

/** A fact's embedding as it is stored, and the model that made it. */
export type FactEmbedding = { model: string; vector: Uint8Array };

/** A fact that has no embedding yet. */
export type Unembedded = { id: string; text: string };

export type MemoryInput =
  /** All facts that hold; of `ids` those, whatever became of them. */
  | { kind: "list"; ids?: string[] | undefined }
  /** A fact that its person wrote, or a program with a key. */
  | { kind: "add"; id: string; text: string; isUntrusted: boolean; embedding?: FactEmbedding | undefined }
  /** One that a model saves in an answer; `replaces` is the handle of the fact whose place it takes. */
  | {
      kind: "save";
      id: string;
      text: string;
      replaces: string | null;
      isUntrusted: boolean;
      chatId: string;
      messageId: string;
      embedding?: FactEmbedding | undefined;
    }
  /** Its person's own from then on, the same words too. */
  | { kind: "change"; id: string; text: string }
  | { kind: "forget"; id: string }
  /** What a model was asked to forget, by its handle. */
  | { kind: "drop"; handle: string }
  | { kind: "restore"; id: string }
  | { kind: "undo"; id: string }
  | { kind: "history"; id: string }
  | { kind: "clear" }
  /** A list; one from a file was read by nobody before. */
  | { kind: "import"; id: string; entries: string[]; isFromFile: boolean }
  /** The next part of an import, as `texts`. */
  | { kind: "importNext"; id: string }
  /** Adds that; `embeddings` are of it, in order. */
  | { kind: "importStep"; id: string; embeddings?: FactEmbedding[] | undefined }
  /** Facts that have no embedding by the deployment's model. */
  | { kind: "unembedded" }
  | { kind: "embedded"; model: string; made: (Unembedded & { vector: Uint8Array })[] }
  /** They could not be paid for, and are tried again an hour later. */
  | { kind: "embedLater" }
  /** A personalization of this hash is being made from the facts. */
  | { kind: "written"; hash: string }
  /** It could not be paid for, and is tried again a day later. */
  | { kind: "upkeepLater" };

/** `memories` are those that were asked for, or the one that was changed. */
export type MemoryAnswer = {
  memories: Memory[];
  /** About how many tokens go along with each message. */
  tokens: number;
  /** The newest; of a step the one that it was of, null where that is gone. */
  lastImport: MemoryImport | null;
  /** A fact's history, or what a saved one took the place of. */
  versions: MemoryVersion[];
  /** False for a fact that was there already. */
  isNew: boolean;
  /** What of an import comes next. */
  texts: string[];
  unembedded: Unembedded[];
  /** True where facts are compared by their words until there is credit. */
  waitsForCredit: boolean;
  /** The hashes of the personalizations that were made from the facts. */
  written: string[];
};

/** What goes along with a message: the section of its system prompt, and the facts in it; `isUntrusted` where one of them came from elsewhere. */
export type SentMemory = { text: string; ids: string[]; isUntrusted: boolean };

/** A user's hub, as their memory knows it. */
export interface MemoryHub extends Rpc.DurableObjectBranded {
  /** Reads or changes the user's memory. */
  memory(input: MemoryInput): Promise<Outcome<MemoryAnswer>>;
}
