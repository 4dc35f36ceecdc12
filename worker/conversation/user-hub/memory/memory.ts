/** One user's memory: the facts that models get along with their messages, and how they change. */
import type { Memory, MemoryVersion } from "#shared/entities/memory.ts";
import { MEMORIES_MAX, MEMORY_LENGTH } from "#shared/limits.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import { nearness } from "#worker/library/passages/vector-bytes.ts";
import { currentCursor, findStored } from "../list/chat-list.ts";
import { broadcast } from "../live/live.ts";
import {
  activeFacts,
  earlierTexts,
  endFact,
  eraseAll,
  eraseForgotten,
  type Fact,
  factsOf,
  findByHandle,
  findFact,
  insertFact,
  type NewFact,
  replacedBy,
  reviveFact,
  rewriteFact,
  sendableFacts,
  trustFact,
  withHistory,
} from "./facts.ts";
import { beginImport, type FactOutcome, findImport, lastImport, nextOfImport, stepImport } from "./imports.ts";
import { compareFacts, compareMeaning, type FactWords, factWordsOf } from "./likeness.ts";
import { createMeaning, MEANING, type Meaning } from "./meaning.ts";
import type { FactEmbedding, MemoryAnswer, MemoryInput, SentMemory } from "#worker/library/memories/rpc.ts";
import { createUpkeep, UPKEEP, type Upkeep } from "./upkeep.ts";
import { composeSection, type MemorySection } from "./section.ts";

/** A forgotten fact can be kept after all for so many milliseconds, then it is erased. */
const ERASED_AFTER_MS = 24 * 60 * 60_000;
/** The row of later work that stands for all forgotten facts. */
const FORGOTTEN = "forgotten";

type Deps = {
  ctx: DurableObjectState;
  env: Env;
  userId: string;
  due: () => Pick<DueWork<"memory">, "schedule" | "has">;
};

/** The memory of one user. */
export class UserMemory {
  readonly #ctx: DurableObjectState;
  readonly #sql: SqlStorage;
  readonly #due: Deps["due"];
  readonly #upkeep: Upkeep;
  readonly #meaning: Meaning;
  /** Kept between turns, which read no row for it; undefined while not read. */
  #section: MemorySection | null | undefined;

  constructor({ ctx, env, userId, due }: Deps) {
    const { sql } = ctx.storage;
    this.#ctx = ctx;
    this.#sql = sql;
    this.#due = due;
    this.#upkeep = createUpkeep({ env, sql, userId, due });
    this.#meaning = createMeaning({ env, sql, userId, due });
  }

  async ask(input: MemoryInput): Promise<Outcome<MemoryAnswer>> {
    switch (input.kind) {
      case "list":
        if (input.ids) return this.#answer(factsOf(this.#sql, input.ids));
        // Whoever looks also notices that the deployment's model is another one now.
        await this.#meaning.soon();
        return this.#answer(activeFacts(this.#sql), { waitsForCredit: this.#meaning.waitsForCredit() });
      case "add":
        return this.#add(input);
      case "save":
        return this.#save(input);
      case "change":
        return this.#changeOne(input.id, (fact, at) => {
          if (fact.text !== input.text) rewriteFact(this.#sql, fact, input.text, at);
          trustFact(this.#sql, fact.id);
        });
      case "forget":
        return this.#forgetFact(findFact(this.#sql, input.id), NOT_FOUND);
      case "drop":
        return this.#forgetFact(findByHandle(this.#sql, input.handle), refused(`There is no fact with the handle ${input.handle}.`));
      case "restore":
        if (!this.#hasRoomFor(input.id, 1)) return refused(FULL);
        return this.#changeOne(input.id, (fact, at) => {
          if (fact.ended !== null) reviveFact(this.#sql, fact.id, at);
        });
      case "undo":
        return this.#undo(input.id);
      case "history": {
        const fact = findFact(this.#sql, input.id);
        return fact ? this.#answer([fact], { versions: this.#history(fact) }) : NOT_FOUND;
      }
      case "clear":
        await this.#change(() => eraseAll(this.#sql));
        await this.#upkeep.now();
        return this.#answer([]);
      case "import":
        beginImport(this.#sql, input, new Date().toISOString());
        return this.#answer([]);
      case "importNext":
        return this.#answer([], { texts: nextOfImport(this.#sql, input.id) });
      case "importStep":
        return this.#step(input.id, input.embeddings);
      case "unembedded":
        return this.#answer([], { unembedded: this.#meaning.missing() });
      case "embedded":
        this.#ctx.storage.transactionSync(() => this.#meaning.fill(input.made, input.model));
        return this.#answer([]);
      case "embedLater":
        await this.#meaning.later();
        return this.#answer([]);
      case "written":
        this.#upkeep.note(input.hash);
        return this.#answer([]);
      case "upkeepLater":
        await this.#upkeep.later();
        return this.#answer([]);
    }
  }

  /** What goes along with a message, and about how many tokens it takes; null for a memory without facts. */
  section(): (SentMemory & { tokens: number }) | null {
    const found = this.#sent();
    if (!found) return null;
    const { text, tokens, facts } = found;
    return { text, tokens, ids: facts.map(({ id }) => id), isUntrusted: facts.some(({ isUntrusted }) => isUntrusted) };
  }

  /** The texts of all facts that hold. */
  texts(): string[] {
    return sendableFacts(this.#sql).map(({ text }) => text);
  }

  /** Does what is due: erases what was forgotten, or has the personalization or the embeddings made; answers when to come again. */
  async work(what: string): Promise<number | null> {
    if (what === UPKEEP) return this.#upkeep.run();
    if (what === MEANING) return this.#meaning.run();
    const next = eraseForgotten(this.#sql, new Date(Date.now() - ERASED_AFTER_MS).toISOString());
    return next === null ? null : Date.parse(next) + ERASED_AFTER_MS;
  }

  /** The storage was emptied. */
  forget(): void {
    this.#section = undefined;
  }

  #sent(): MemorySection | null {
    this.#section ??= this.#section === undefined ? composeSection(sendableFacts(this.#sql)) : null;
    return this.#section;
  }

  #usedAt(): string | null {
    return this.#sql.exec<{ at: string | null }>("SELECT memory_used_at AS at FROM hub").one().at;
  }

  /** When a fact was last sent: with the last message, as long as it is among what is sent. */
  #lastUse(fact: Fact, last: string | null): string | null {
    const isSent = fact.ended === null && (this.#sent()?.facts.some(({ id }) => id === fact.id) ?? false);
    return isSent && last !== null && last >= fact.since ? last : fact.used_at;
  }

  /** Changes facts in one transaction; those that make room for others keep when they were sent. */
  async #change<T>(act: (at: string) => T): Promise<T> {
    const at = new Date().toISOString();
    const before = this.#sent()?.facts ?? [];
    const last = this.#usedAt();
    const done = this.#ctx.storage.transactionSync(() => {
      const changed = act(at);
      const after = new Set(composeSection(sendableFacts(this.#sql))?.facts.map(({ id }) => id));
      const left = before.filter(({ id }) => !after.has(id)).map(({ id }) => id);
      if (left.length > 0)
        this.#sql.exec(
          "UPDATE memories SET used_at = MAX(COALESCE(used_at, ''), ?1), since = ?2 WHERE ended IS NULL AND since <= ?1 AND id IN (SELECT value FROM json_each(?3))",
          last ?? "",
          at,
          JSON.stringify(left),
        );
      return changed;
    });
    this.#section = undefined;
    this.#notify();
    await this.#upkeep.changed();
    await this.#meaning.soon();
    return done;
  }

  #notify(): void {
    broadcast(this.#ctx, [{ type: "content.changed", cursor: String(currentCursor(this.#sql)), kind: "memory" }]);
  }

  #toMemories(facts: readonly Fact[]): Memory[] {
    const last = this.#usedAt();
    const changed = withHistory(this.#sql);
    const ids = new Set(this.#sent()?.facts.map(({ id }) => id));
    return facts.map((fact) => {
      const chat = fact.chat_id === null ? null : findStored(this.#sql, fact.chat_id);
      const { id, text, origin, message_id, created_at, ended } = fact;
      return {
        id,
        text,
        origin: origin === "file" ? "import" : origin,
        chat: chat && { id: chat.id, title: titleOf(chat.row) },
        message_id: chat ? message_id : null,
        created_at,
        used_at: this.#lastUse(fact, last),
        is_sent: ended === null && ids.has(id),
        ended,
        has_history: changed.has(id),
        is_untrusted: fact.isUntrusted,
      };
    });
  }

  #answer(facts: readonly Fact[], more: Partial<MemoryAnswer> = {}): Outcome<MemoryAnswer> {
    const nothing = { versions: [], isNew: true, texts: [], unembedded: [], waitsForCredit: false };
    const rest = { ...nothing, tokens: this.#sent()?.tokens ?? 0, lastImport: lastImport(this.#sql), written: this.#upkeep.written() };
    return { ok: true, value: { ...rest, ...more, memories: this.#toMemories(facts) } };
  }

  #answerFact(id: string, more: Partial<MemoryAnswer> = {}): Outcome<MemoryAnswer> {
    const fact = findFact(this.#sql, id);
    return fact ? this.#answer([fact], more) : NOT_FOUND;
  }

  #end(fact: Fact, ended: "forgotten" | "replaced", { at, by }: { at: string; by?: string }): void {
    endFact(this.#sql, fact.id, { ended, by, at, usedAt: this.#lastUse(fact, this.#usedAt()) });
  }

  /** The facts that hold with their words, and their meaning where that of the one they are compared with is known. */
  #compared(model: string | undefined): Compared[] {
    const vectors = model === undefined ? null : this.#meaning.madeBy(model);
    return activeFacts(this.#sql).map((fact) => ({ fact, words: factWordsOf(fact.text), vector: vectors?.get(fact.id) ?? null }));
  }

  /** Adds a fact: one that says the same is found instead, and those that it cannot hold beside make room for it. */
  #put(
    fact: NewFact,
    {
      at,
      replaces = null,
      embedding,
      among = this.#compared(embedding?.model),
      ends = () => true,
      isTyped = false,
    }: {
      at: string;
      replaces?: Fact | null;
      embedding?: FactEmbedding | undefined;
      among?: Compared[];
      /** Which facts may make room for it. */
      ends?: (other: Fact) => boolean;
      /** True where its person wrote it just now: what others wrote that says as much or more makes room for it. */
      isTyped?: boolean;
    },
  ) {
    const words = factWordsOf(fact.text);
    const vector = embedding ? new Int8Array(embedding.vector) : null;
    const likes = among.map((other) => ({ other: other.fact, is: likeness(other, { words, vector }) }));
    const isOutdone = (other: Fact) => isTyped && other.isUntrusted && other.text !== fact.text;
    const same = likes.find(({ other, is }) => is === "same" && other.id !== replaces?.id && !isOutdone(other))?.other;
    if (same) return { fact: same, isNew: false, among };
    const added = insertFact(this.#sql, fact, at);
    const outdated = [
      ...(replaces ? [replaces] : []),
      ...likes.flatMap(({ other, is }) => ((is === "replaces" || (is === "same" && isOutdone(other))) && ends(other) ? [other] : [])),
    ];
    if (!added) return null;
    if (embedding) this.#meaning.keep(fact.id, embedding);
    const ended = new Map(outdated.map((one) => [one.id, one]));
    for (const other of ended.values()) this.#end(other, "replaced", { at, by: fact.id });
    const left = among.filter((other) => !ended.has(other.fact.id));
    return { fact: added, isNew: true, among: [...left, { fact: added, words, vector }] };
  }

  async #add(input: Extract<MemoryInput, { kind: "add" }>): Promise<Outcome<MemoryAnswer>> {
    const { id, text, isUntrusted, embedding } = input;
    if (findFact(this.#sql, id)) return this.#answerFact(id);
    const fact = { id, text, origin: "user", chat_id: null, message_id: null, isUntrusted } as const;
    const savedFact = await this.#change((at) => {
      const found = this.#put(fact, { at, embedding, isTyped: !isUntrusted });
      if (found && found.fact.text === text && !isUntrusted) trustFact(this.#sql, found.fact.id);
      return found;
    });
    return savedFact ? this.#answerFact(savedFact.fact.id, { isNew: savedFact.isNew }) : refused(FULL);
  }

  async #save(input: Extract<MemoryInput, { kind: "save" }>): Promise<Outcome<MemoryAnswer>> {
    const { id, text, replaces, chatId, messageId, isUntrusted, embedding } = input;
    const versionsOf = () => replacedBy(this.#sql, id).map(toReplaced);
    if (findFact(this.#sql, id)) return this.#answerFact(id, { versions: versionsOf() });
    if (this.#wasForgotten(text, chatId))
      return refused("The person removed this from memory, so it is not saved again. They can add it in the settings.");
    const before = replaces === null ? null : findByHandle(this.#sql, replaces);
    if (replaces !== null && !before) return refused(`There is no fact with the handle ${replaces}.`);
    const fact = { id, text, origin: "chat", chat_id: chatId, message_id: messageId, isUntrusted } as const;
    const savedFact = await this.#change((at) => this.#put(fact, { at, replaces: before, embedding }));
    return savedFact
      ? this.#answerFact(savedFact.fact.id, { isNew: savedFact.isNew, versions: savedFact.isNew ? versionsOf() : [] })
      : refused(FULL);
  }

  /** True for what was taken back in this chat: an answer that is made again does not bring it back. */
  #wasForgotten(text: string, chatId: string): boolean {
    const now = factWordsOf(text);
    return this.#sql
      .exec<{ text: string }>("SELECT text FROM memories WHERE ended = 'forgotten' AND chat_id = ?", chatId)
      .toArray()
      .some((fact) => compareFacts(factWordsOf(fact.text), now) === "same");
  }

  /** Forgets a fact; answers `missing` where there is none. */
  async #forgetFact(fact: Fact | null, missing: Outcome<never>): Promise<Outcome<MemoryAnswer>> {
    if (!fact) return missing;
    if (fact.ended !== "forgotten") {
      await this.#change((at) => this.#end(fact, "forgotten", { at }));
      await this.#due().schedule("memory", FORGOTTEN, Date.now() + ERASED_AFTER_MS);
    }
    return this.#answerFact(fact.id);
  }

  /** Takes a fact back, and has those hold again that made room for it. */
  async #undo(id: string): Promise<Outcome<MemoryAnswer>> {
    const fact = findFact(this.#sql, id);
    if (!fact) return NOT_FOUND;
    const replaced = replacedBy(this.#sql, fact.id);
    if (!this.#hasRoomFor(fact.id, replaced.length)) return refused(FULL);
    for (const other of replaced) await this.#change((at) => reviveFact(this.#sql, other.id, at));
    return this.#forgetFact(fact, NOT_FOUND);
  }

  #history(fact: Fact): MemoryVersion[] {
    const edits = earlierTexts(this.#sql, fact.id).map(({ at, text }) => ({ id: fact.id, text, at, why: "edited" as const }));
    const others = replacedBy(this.#sql, fact.id).flatMap((other) => [toReplaced(other), ...this.#history(other)]);
    return [...edits, ...others].toSorted((a, b) => b.at.localeCompare(a.at));
  }

  async #step(id: string, embeddings: FactEmbedding[] | undefined): Promise<Outcome<MemoryAnswer>> {
    let among = this.#compared(embeddings?.[0]?.model);
    const at = new Date().toISOString();
    const began = findImport(this.#sql, id)?.at ?? at;
    // Nobody looks at each line of a list, and its report names no line that ended an older fact.
    const ends = ({ origin, created_at: since }: Fact) => (origin === "import" || origin === "file") && since >= began;
    const progress = stepImport(this.#ctx.storage, id, (text, { place, origin }): FactOutcome => {
      if (text.length > MEMORY_LENGTH) return "failed";
      const fact = { id: crypto.randomUUID(), text, origin, chat_id: null, message_id: null, isUntrusted: origin === "file" } as const;
      const savedFact = this.#put(fact, { at, among, ends, embedding: embeddings?.[place] });
      among = savedFact?.among ?? among;
      return savedFact ? (savedFact.isNew ? "added" : "duplicate") : "failed";
    });
    if (!progress) return this.#answer([], { lastImport: findImport(this.#sql, id) });
    this.#section = undefined;
    broadcast(this.#ctx, [{ type: "memory.import", cursor: String(currentCursor(this.#sql)), import: progress }]);
    if (progress.state === "done") {
      this.#notify();
      await this.#upkeep.changed();
      await this.#meaning.soon();
    }
    return this.#answer([], { lastImport: progress });
  }

  /** True where so many facts may hold instead of this one. */
  #hasRoomFor(id: string, count: number): boolean {
    return activeFacts(this.#sql).filter((fact) => fact.id !== id).length + count <= MEMORIES_MAX;
  }

  async #changeOne(id: string, act: (fact: Fact, at: string) => void): Promise<Outcome<MemoryAnswer>> {
    const fact = findFact(this.#sql, id);
    if (!fact) return NOT_FOUND;
    await this.#change((at) => act(fact, at));
    return this.#answerFact(id);
  }
}

/** A fact, and what it is compared by, which is found once for all others. */
type Compared = { fact: Fact; words: FactWords; vector: Int8Array | null };

/** By the words, and where those say nothing, by the meaning. */
function likeness(before: Pick<Compared, "words" | "vector">, now: Pick<Compared, "words" | "vector">): ReturnType<typeof compareFacts> {
  const byWords = compareFacts(before.words, now.words);
  if (byWords !== null || !before.vector || !now.vector) return byWords;
  return compareMeaning(before.words, now.words, nearness(before.vector, now.vector));
}

const NOT_FOUND: Outcome<never> = { ok: false, code: "NOT_FOUND" };
const FULL = "Your memory holds 1,000 facts already. Forget some first.";

function refused(message: string): Outcome<never> {
  return { ok: false, code: "INVALID_INPUT", message };
}

function toReplaced({ id, text, ended_at: endedAt, created_at: createdAt }: Fact): MemoryVersion {
  return { id, text, at: endedAt ?? createdAt, why: "replaced" };
}

function titleOf(row: string): string {
  const { title }: { title: string } = JSON.parse(row);
  return title;
}
