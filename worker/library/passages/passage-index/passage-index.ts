import { DurableObject } from "cloudflare:workers";
import { createDueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { Passage } from "#worker/library/passages/passage.ts";
import { isMade, migrate } from "./migrations.ts";
import type {
  DocumentName,
  FoundPassage,
  IndexedDocument,
  IndexState,
  PassageHit,
  PassageIndexRpc,
  PassageQuery,
  Payer,
  Stretch,
  Writing,
  Written,
} from "./rpc.ts";

const rows = loadOnce(() => import("./documents.ts"));
const embeddings = loadOnce(() => import("./embed.ts"));
const finding = loadOnce(() => import("./search.ts"));

/** Of many documents in a row those of so many milliseconds get their embeddings together. */
const MANY_MS = 15_000;

const EMPTY: IndexState = { documents: [], characters: 0, embeddings: "off", model: null };

/** The passages of one knowledge entry's documents. Wiring only; what is asked of an index that is not there makes none. */
export class PassageIndex extends DurableObject<Env> implements PassageIndexRpc {
  readonly #due = createDueWork(this.ctx.storage, {
    embeddings: async () => (await embeddings()).embedMissing(this.env, this.ctx.storage, this.ctx.id.name ?? ""),
  });

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  get #isMade(): boolean {
    return isMade(this.ctx.storage);
  }

  async begin({ ownerId, ...document }: DocumentName & Payer): Promise<string> {
    const { beginDocument } = await rows();
    migrate(this.ctx.storage);
    return this.ctx.storage.transactionSync(() => {
      this.#sql.exec("DELETE FROM settings WHERE owner_id <> ?", ownerId);
      this.#sql.exec("INSERT INTO settings (owner_id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM settings)", ownerId);
      return beginDocument(this.#sql, document);
    });
  }

  async add(place: Writing, passages: Passage[]): Promise<boolean> {
    const { addPassages } = await rows();
    return this.#isMade && this.ctx.storage.transactionSync(() => addPassages(this.#sql, place, passages));
  }

  async finish(place: Writing, { isOneOfMany = false, ...written }: Written & { isOneOfMany?: boolean }): Promise<IndexedDocument | null> {
    const { finishDocument } = await rows();
    if (!this.#isMade) return null;
    const finished = this.ctx.storage.transactionSync(() => finishDocument(this.#sql, place, written));
    await this.#embedSoon(isOneOfMany ? MANY_MS : 0);
    return finished;
  }

  async abandon(place: Writing): Promise<void> {
    const { abandonDocument } = await rows();
    if (this.#isMade) this.ctx.storage.transactionSync(() => abandonDocument(this.#sql, place));
  }

  async remove(documentId: string, writing: string | null = null): Promise<boolean> {
    const { removeDocument } = await rows();
    return this.#isMade && this.ctx.storage.transactionSync(() => removeDocument(this.#sql, documentId, writing));
  }

  async rename(document: DocumentName): Promise<void> {
    const { renameDocument } = await rows();
    if (this.#isMade) renameDocument(this.#sql, document);
  }

  async drop(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#due.forget();
  }

  async describe(): Promise<IndexState> {
    if (!this.#isMade) return EMPTY;
    const [{ listDocuments }, { embeddingState, servingModel }] = [await rows(), await embeddings()];
    migrate(this.ctx.storage);
    const documents = listDocuments(this.#sql);
    // Whoever asks also notices that the deployment's model is another one now.
    await this.#embedSoon();
    return {
      documents,
      characters: documents.reduce((sum, { characters }) => sum + characters, 0),
      embeddings: embeddingState(this.env, this.#sql),
      model: servingModel(this.#sql),
    };
  }

  async searchModel(): Promise<string | null> {
    if (!this.#isMade) return null;
    const { servingModel } = await embeddings();
    await this.#embedSoon();
    return servingModel(this.#sql);
  }

  async search({ query, embedding, limit, documentIds }: PassageQuery): Promise<PassageHit[]> {
    if (!this.#isMade) return [];
    const [{ searchPassages }, { servingModel }] = [await finding(), await embeddings()];
    const vector = embedding && embedding.model === servingModel(this.#sql) ? embedding.vector : null;
    return searchPassages(this.#sql, { query, vector, limit, documentIds });
  }

  async read(input: { characters: number; documentIds?: string[] }): Promise<FoundPassage[]> {
    const { readPassagesThatFit: readPassages } = await rows();
    return this.#isMade ? readPassages(this.#sql, input) : [];
  }

  async sample(input: { documentId: string; limit: number }): Promise<FoundPassage[]> {
    const { samplePassages } = await rows();
    return this.#isMade ? samplePassages(this.#sql, input) : [];
  }

  async show(input: { documentId: string; start: number; end: number }): Promise<Stretch | null> {
    const { readStretch: readAround } = await rows();
    return this.#isMade ? readAround(this.#sql, input) : null;
  }

  async #embedSoon(afterMs = 0): Promise<void> {
    const { isPending } = await embeddings();
    if (!this.#due.has("embeddings", "all") && isPending(this.env, this.#sql))
      await this.#due.schedule("embeddings", "all", Date.now() + afterMs);
  }

  override async alarm(): Promise<void> {
    if (this.#isMade) migrate(this.ctx.storage);
    await this.#due.run();
  }
}
