/** What an index of passages can be asked: its object's methods as `stub.ts` offers them, and what they take and answer. */
import type { Passage } from "#worker/library/passages/passage.ts";

/** A document of an index; `id` is unique within it. */
export type DocumentName = { id: string; name: string };

/** Who pays for what is done to an index in the background. */
export type Payer = { ownerId: string };

/** Where a document is written: `writing` names this attempt, so an earlier one that still runs is recognised. */
export type Writing = { documentId: string; writing: string };

/** What is known of a document once it is written whole. */
export type Written = { pages: number | null; isComplete: boolean };

/** A document as it can be found in. */
export type IndexedDocument = DocumentName & Written & { characters: number; passages: number };

/** How far the passages' embeddings are: not asked for, all there, being made, or waiting for credit. */
export type EmbeddingState = "off" | "done" | "running" | "no_credit";

export type IndexState = {
  documents: IndexedDocument[];
  characters: number;
  embeddings: EmbeddingState;
  /** The model by whose embeddings it is searched; null while there are none. */
  model: string | null;
};

export type FoundPassage = Passage & { document: DocumentName };

export type Embedding = { model: string; vector: number[] };

export type PassageQuery = {
  query: string;
  /** The query's embedding: used where the index is searched by the same model. */
  embedding?: Embedding | null;
  limit: number;
  /** Only in these documents. */
  documentIds?: string[];
};

/** A found passage with its rank's score: the higher the nearer, comparable between indexes searched in the same way. */
export type PassageHit = FoundPassage & {
  score: number;
  /** How well its words match (BM25), and how near its meaning is (cosine): the higher the better, null where it was not found so. */
  words: number | null;
  meaning: number | null;
};

/** A stretch of a document's text: from the passage that holds `start`, so many passages before and after. */
export type Stretch = { document: DocumentName & Written; before: string; passages: Passage[]; after: string };

/** An index of passages: a knowledge entry's documents, found by words and by meaning. */
export interface PassageIndexRpc extends Rpc.DurableObjectBranded {
  /** Begins to write a document, or to write it again: what it holds is found until the new text is whole. Answers what this attempt is called. */
  begin(document: DocumentName & Payer): Promise<string>;
  /** Adds passages in order; false where the document was removed or is being written again. */
  add(place: Writing, passages: Passage[]): Promise<boolean>;
  /** The document is whole: what was added takes the place of what it held before. Null where the attempt was given up. */
  finish(place: Writing, written: Written & { isOneOfMany?: boolean }): Promise<IndexedDocument | null>;
  /** Gives an attempt up: what the document held before stays. */
  abandon(place: Writing): Promise<void>;
  /** Forgets a document; with `writing` only while that attempt to write it is the current one, else false. */
  remove(documentId: string, writing?: string): Promise<boolean>;
  /** Names a document otherwise. */
  rename(document: DocumentName): Promise<void>;
  /** Forgets all of it. */
  drop(): Promise<void>;
  describe(): Promise<IndexState>;
  /** The model whose embeddings it is searched by, without all that `describe` returns. */
  searchModel(): Promise<string | null>;
  /** The passages that say most of a query, nearest first. */
  search(query: PassageQuery): Promise<PassageHit[]>;
  /** Passages in the documents' order, as long as they fit so many characters. */
  read(input: { characters: number; documentIds?: string[] }): Promise<FoundPassage[]>;
  /** So many passages spread evenly over a document, its first ones among them. */
  sample(input: { documentId: string; limit: number }): Promise<FoundPassage[]>;
  /** What stands between two places of a document, with what is around it; null where it is gone. */
  show(input: { documentId: string; start: number; end: number }): Promise<Stretch | null>;
}
