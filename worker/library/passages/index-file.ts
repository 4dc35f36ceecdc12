import type { FileFormat } from "#shared/attachment-rules.ts";
import { fromObject } from "#worker/library/attachments/readers/byte-source.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { DocumentName, Payer } from "#worker/library/passages/passage-index/rpc.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { locationHintFor } from "#worker/people/users/users.ts";
import type { Passage, ReadEnd, TextChunk } from "./passage.ts";
import { readTextChunks } from "./read-text-chunks.ts";
import { createSplitter } from "./split.ts";

/** Where a document is put; its owner pays for its embeddings. */
export type DocumentPlace = Payer & {
  indexId: string;
  document: DocumentName;
  /** True where many documents come one after the other. */
  isOneOfMany?: boolean;
};

export type StoredDocument = { key: string; format: FileFormat; size: number };

/** What came of reading a document; `isScan` for a PDF whose pages are pictures, `isOutdone` where another attempt writes it now, or it was removed. */
export type Indexed = { isOutdone?: boolean } & (
  | { ok: true; pages: number | null; characters: number; isComplete: boolean }
  | { ok: false; reason: string; isScan: boolean; pages: number | null }
);

/** Passages that are sent at once: about 200 KB. */
const BATCH = 150;

/**
 * Reads a stored file chunk by chunk and puts its passages into an index, where they take the place of what the document held before.
 * Where there is nothing to read, what it held is gone too. Throws where it should come again, and may come any number of times.
 */
export async function indexFile(env: Env, place: DocumentPlace, file: StoredDocument): Promise<Indexed> {
  const source = fromObject(env.FILES, file);
  return indexChunks(env, place, readTextChunks(file.format, source, env.ASSETS));
}

/** Puts text into an index, Markdown where it has headings; empty text removes the document. */
export async function indexText(env: Env, place: DocumentPlace, text: string): Promise<void> {
  await indexChunks(env, place, textAsChunk(text));
}

async function* textAsChunk(text: string): AsyncGenerator<TextChunk, ReadEnd> {
  if (text.trim() === "") return { ok: false, reason: "There is no text.", isScan: false, pages: null };
  yield { text };
  return { ok: true, pages: null, isComplete: true };
}

/** Puts what a reader gives into an index. */
export async function indexChunks(
  env: Env,
  { indexId, document, ownerId, isOneOfMany = false }: DocumentPlace,
  chunks: AsyncGenerator<TextChunk, ReadEnd>,
): Promise<Indexed> {
  // A job reads it, wherever that runs.
  const index = indexOf(env, indexId, await locationHintFor(openDatabase(env.DB), ownerId));
  const place = { documentId: document.id, writing: await index.begin({ ...document, ownerId }) };
  const splitter = createSplitter();
  let waiting: Passage[] = [];
  async function send(atLeast: number): Promise<void> {
    if (waiting.length === 0 || waiting.length < atLeast) return;
    const batch = waiting;
    waiting = [];
    await index.add(place, batch);
  }
  try {
    for (;;) {
      const next = await chunks.next();
      if (!next.done) {
        waiting.push(...splitter.add(next.value));
        await send(BATCH);
        continue;
      }
      const end = next.value;
      if (!end.ok) {
        return { ...end, isOutdone: !(await index.remove(document.id, place.writing)) };
      }
      waiting.push(...splitter.end());
      await send(1);
      const written = await index.finish(place, { pages: end.pages, isComplete: end.isComplete, isOneOfMany });
      const { isComplete, characters } = written ?? { isComplete: end.isComplete, characters: 0 };
      return { ok: true, pages: end.pages, isComplete, characters, isOutdone: written === null };
    }
  } catch (cause) {
    await index.abandon(place);
    throw cause;
  }
}
