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
import { compareFacts, compareMeaning, type Words, wordsOf } from "./likeness.ts";
import { createMeaning, MEANING } from "./meaning.ts";
import type { FactEmbedding, MemoryAnswer, MemoryInput, SentMemory } from "#worker/library/memories/rpc.ts";
import { createUpkeep, UPKEEP } from "./upkeep.ts";
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

export type UserMemory = {
  ask(input: MemoryInput): Promise<Outcome<MemoryAnswer>>;
  /** What goes along with a message, and about how many tokens it takes; null for a memory without facts. */
  section(): (SentMemory & { tokens: number }) | null;
  /** The texts of all facts that hold. */
  texts(): string[];
  /** Does what is due: erases what was forgotten, or has the personalization or the embeddings made; answers when to come again. */
  work(what: string): Promise<number | null>;
  /** The storage was emptied. */
  forget(): void;
};

/** The memory of one user. */
export function createMemory({ ctx, env, userId, due }: Deps): UserMemory {
  const { storage } = ctx;
  const { sql } = storage;
  const upkeep = createUpkeep({ env, sql, userId, due });
  const meaning = createMeaning({ env, sql, userId, due });
  /** Kept between turns, which read no row for it; undefined while not read. */
  let section: MemorySection | null | undefined;

  function sent(): MemorySection | null {
    section ??= section === undefined ? composeSection(sendableFacts(sql)) : null;
    return section;
  }

  function usedAt(): string | null {
    return sql.exec<{ at: string | null }>("SELECT memory_used_at AS at FROM hub").one().at;
  }

  /** When a fact was last sent: with the last message, as long as it is among what is sent. */
  function lastUse(fact: Fact, last: string | null): string | null {
    const isSent = fact.ended === null && (sent()?.facts.some(({ id }) => id === fact.id) ?? false);
    return isSent && last !== null && last >= fact.since ? last : fact.used_at;
  }

  /** Changes facts in one transaction; those that make room for others keep when they were sent. */
  async function change<T>(act: (at: string) => T): Promise<T> {
    const at = new Date().toISOString();
    const before = sent()?.facts ?? [];
    const last = usedAt();
    const done = storage.transactionSync(() => {
      const changed = act(at);
      const after = new Set(composeSection(sendableFacts(sql))?.facts.map(({ id }) => id));
      const left = before.filter(({ id }) => !after.has(id)).map(({ id }) => id);
      if (left.length > 0)
        sql.exec(
          "UPDATE memories SET used_at = MAX(COALESCE(used_at, ''), ?1), since = ?2 WHERE ended IS NULL AND since <= ?1 AND id IN (SELECT value FROM json_each(?3))",
          last ?? "",
          at,
          JSON.stringify(left),
        );
      return changed;
    });
    section = undefined;
    notify();
    await upkeep.changed();
    await meaning.soon();
    return done;
  }

  function notify(): void {
    broadcast(ctx, [{ type: "content.changed", cursor: String(currentCursor(sql)), kind: "memory" }]);
  }

  function toMemories(facts: readonly Fact[]): Memory[] {
    const last = usedAt();
    const changed = withHistory(sql);
    const ids = new Set(sent()?.facts.map(({ id }) => id));
    return facts.map((fact) => {
      const chat = fact.chat_id === null ? null : findStored(sql, fact.chat_id);
      const { id, text, origin, message_id, created_at, ended } = fact;
      return {
        id,
        text,
        origin: origin === "file" ? "import" : origin,
        chat: chat && { id: chat.id, title: titleOf(chat.row) },
        message_id: chat ? message_id : null,
        created_at,
        used_at: lastUse(fact, last),
        is_sent: ended === null && ids.has(id),
        ended,
        has_history: changed.has(id),
        is_untrusted: fact.isUntrusted,
      };
    });
  }

  function answer(facts: readonly Fact[], more: Partial<MemoryAnswer> = {}): Outcome<MemoryAnswer> {
    const nothing = { versions: [], isNew: true, texts: [], unembedded: [], waitsForCredit: false };
    const rest = { ...nothing, tokens: sent()?.tokens ?? 0, lastImport: lastImport(sql), written: upkeep.written() };
    return { ok: true, value: { ...rest, ...more, memories: toMemories(facts) } };
  }

  function answerFact(id: string, more: Partial<MemoryAnswer> = {}): Outcome<MemoryAnswer> {
    const fact = findFact(sql, id);
    return fact ? answer([fact], more) : { ok: false, code: "NOT_FOUND" };
  }

  function end(fact: Fact, ended: "forgotten" | "replaced", { at, by }: { at: string; by?: string }): void {
    endFact(sql, fact.id, { ended, by, at, usedAt: lastUse(fact, usedAt()) });
  }

  /** The facts that hold with their words, and their meaning where that of the one they are compared with is known. */
  function compared(model: string | undefined): Compared[] {
    const vectors = model === undefined ? null : meaning.madeBy(model);
    return activeFacts(sql).map((fact) => ({ fact, words: wordsOf(fact.text), vector: vectors?.get(fact.id) ?? null }));
  }

  /** Adds a fact: one that says the same is found instead, and those that it cannot hold beside make room for it. */
  function put(
    fact: NewFact,
    {
      at,
      replaces = null,
      embedding,
      among = compared(embedding?.model),
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
    const words = wordsOf(fact.text);
    const vector = embedding ? new Int8Array(embedding.vector) : null;
    const likes = among.map((other) => ({ other: other.fact, is: likeness(other, { words, vector }) }));
    const isOutdone = (other: Fact) => isTyped && other.isUntrusted && other.text !== fact.text;
    const same = likes.find(({ other, is }) => is === "same" && other.id !== replaces?.id && !isOutdone(other))?.other;
    if (same) return { fact: same, isNew: false, among };
    const added = insertFact(sql, fact, at);
    const outdated = [
      ...(replaces ? [replaces] : []),
      ...likes.flatMap(({ other, is }) => ((is === "replaces" || (is === "same" && isOutdone(other))) && ends(other) ? [other] : [])),
    ];
    if (!added) return null;
    if (embedding) meaning.keep(fact.id, embedding);
    const ended = new Map(outdated.map((one) => [one.id, one]));
    for (const other of ended.values()) end(other, "replaced", { at, by: fact.id });
    const left = among.filter((other) => !ended.has(other.fact.id));
    return { fact: added, isNew: true, among: [...left, { fact: added, words, vector }] };
  }

  async function save(input: Extract<MemoryInput, { kind: "save" }>): Promise<Outcome<MemoryAnswer>> {
    const { id, text, replaces, chatId, messageId, isUntrusted, embedding } = input;
    const versionsOf = () => replacedBy(sql, id).map(toReplaced);
    if (findFact(sql, id)) return answerFact(id, { versions: versionsOf() });
    if (wasForgotten(text, chatId))
      return refused("The person removed this from memory, so it is not saved again. They can add it in the settings.");
    const before = replaces === null ? null : findByHandle(sql, replaces);
    if (replaces !== null && !before) return refused(`There is no fact with the handle ${replaces}.`);
    const fact = { id, text, origin: "chat", chat_id: chatId, message_id: messageId, isUntrusted } as const;
    const savedFact = await change((at) => put(fact, { at, replaces: before, embedding }));
    return savedFact
      ? answerFact(savedFact.fact.id, { isNew: savedFact.isNew, versions: savedFact.isNew ? versionsOf() : [] })
      : refused(FULL);
  }

  /** True for what was taken back in this chat: an answer that is made again does not bring it back. */
  function wasForgotten(text: string, chatId: string): boolean {
    const now = wordsOf(text);
    return sql
      .exec<{ text: string }>("SELECT text FROM memories WHERE ended = 'forgotten' AND chat_id = ?", chatId)
      .toArray()
      .some((fact) => compareFacts(wordsOf(fact.text), now) === "same");
  }

  async function forgetFact(fact: Fact): Promise<void> {
    if (fact.ended === "forgotten") return;
    await change((at) => end(fact, "forgotten", { at }));
    await due().schedule("memory", FORGOTTEN, Date.now() + ERASED_AFTER_MS);
  }

  function history(fact: Fact): MemoryVersion[] {
    const edits = earlierTexts(sql, fact.id).map(({ at, text }) => ({ id: fact.id, text, at, why: "edited" as const }));
    const others = replacedBy(sql, fact.id).flatMap((other) => [toReplaced(other), ...history(other)]);
    return [...edits, ...others].toSorted((a, b) => b.at.localeCompare(a.at));
  }

  async function step(id: string, embeddings: FactEmbedding[] | undefined): Promise<Outcome<MemoryAnswer>> {
    let among = compared(embeddings?.[0]?.model);
    const at = new Date().toISOString();
    const began = findImport(sql, id)?.at ?? at;
    // Nobody looks at each line of a list, and its report names no line that ended an older fact.
    const ends = ({ origin, created_at: since }: Fact) => (origin === "import" || origin === "file") && since >= began;
    const progress = stepImport(storage, id, (text, { place, origin }): FactOutcome => {
      if (text.length > MEMORY_LENGTH) return "failed";
      const fact = { id: crypto.randomUUID(), text, origin, chat_id: null, message_id: null, isUntrusted: origin === "file" } as const;
      const savedFact = put(fact, { at, among, ends, embedding: embeddings?.[place] });
      among = savedFact?.among ?? among;
      return savedFact ? (savedFact.isNew ? "added" : "duplicate") : "failed";
    });
    if (!progress) return answer([], { lastImport: findImport(sql, id) });
    section = undefined;
    broadcast(ctx, [{ type: "memory.import", cursor: String(currentCursor(sql)), import: progress }]);
    if (progress.state === "done") {
      notify();
      await upkeep.changed();
      await meaning.soon();
    }
    return answer([], { lastImport: progress });
  }

  /** True where so many facts may hold instead of this one. */
  function hasRoomFor(id: string, count: number): boolean {
    return activeFacts(sql).filter((fact) => fact.id !== id).length + count <= MEMORIES_MAX;
  }

  async function changeOne(id: string, act: (fact: Fact, at: string) => void): Promise<Outcome<MemoryAnswer>> {
    const fact = findFact(sql, id);
    if (!fact) return { ok: false, code: "NOT_FOUND" };
    await change((at) => act(fact, at));
    return answerFact(id);
  }

  return {
    async ask(input) {
      switch (input.kind) {
        case "list":
          if (input.ids) return answer(factsOf(sql, input.ids));
          // Whoever looks also notices that the deployment's model is another one now.
          await meaning.soon();
          return answer(activeFacts(sql), { waitsForCredit: meaning.waitsForCredit() });
        case "add": {
          if (findFact(sql, input.id)) return answerFact(input.id);
          const { isUntrusted } = input;
          const fact = { id: input.id, text: input.text, origin: "user", chat_id: null, message_id: null, isUntrusted } as const;
          const savedFact = await change((at) => {
            const found = put(fact, { at, embedding: input.embedding, isTyped: !isUntrusted });
            if (found && found.fact.text === input.text && !isUntrusted) trustFact(sql, found.fact.id);
            return found;
          });
          return savedFact
            ? answerFact(savedFact.fact.id, { isNew: savedFact.isNew })
            : { ok: false, code: "INVALID_INPUT", message: FULL };
        }
        case "save":
          return save(input);
        case "change":
          return changeOne(input.id, (fact, at) => {
            if (fact.text !== input.text) rewriteFact(sql, fact, input.text, at);
            trustFact(sql, fact.id);
          });
        case "forget": {
          const fact = findFact(sql, input.id);
          if (fact) await forgetFact(fact);
          return fact ? answerFact(input.id) : { ok: false, code: "NOT_FOUND" };
        }
        case "drop": {
          const fact = findByHandle(sql, input.handle);
          if (!fact) return refused(`There is no fact with the handle ${input.handle}.`);
          await forgetFact(fact);
          return answerFact(fact.id);
        }
        case "restore":
          if (!hasRoomFor(input.id, 1)) return refused(FULL);
          return changeOne(input.id, (fact, at) => {
            if (fact.ended !== null) reviveFact(sql, fact.id, at);
          });
        case "undo": {
          const fact = findFact(sql, input.id);
          if (!fact) return { ok: false, code: "NOT_FOUND" };
          const replaced = replacedBy(sql, fact.id);
          if (!hasRoomFor(fact.id, replaced.length)) return refused(FULL);
          for (const other of replaced) await change((at) => reviveFact(sql, other.id, at));
          await forgetFact(fact);
          return answerFact(input.id);
        }
        case "history": {
          const fact = findFact(sql, input.id);
          return fact ? answer([fact], { versions: history(fact) }) : { ok: false, code: "NOT_FOUND" };
        }
        case "clear":
          await change(() => eraseAll(sql));
          await upkeep.now();
          return answer([]);
        case "import":
          beginImport(sql, input, new Date().toISOString());
          return answer([]);
        case "importNext":
          return answer([], { texts: nextOfImport(sql, input.id) });
        case "importStep":
          return step(input.id, input.embeddings);
        case "unembedded":
          return answer([], { unembedded: meaning.missing() });
        case "embedded":
          storage.transactionSync(() => meaning.fill(input.made, input.model));
          return answer([]);
        case "embedLater":
          await meaning.later();
          return answer([]);
        case "written":
          upkeep.note(input.hash);
          return answer([]);
        case "upkeepLater":
          await upkeep.later();
          return answer([]);
      }
    },
    section() {
      const found = sent();
      if (!found) return null;
      const { text, tokens, facts } = found;
      return { text, tokens, ids: facts.map(({ id }) => id), isUntrusted: facts.some(({ isUntrusted }) => isUntrusted) };
    },
    texts: () => sendableFacts(sql).map(({ text }) => text),
    async work(what) {
      if (what === UPKEEP) return upkeep.run();
      if (what === MEANING) return meaning.run();
      const next = eraseForgotten(sql, new Date(Date.now() - ERASED_AFTER_MS).toISOString());
      return next === null ? null : Date.parse(next) + ERASED_AFTER_MS;
    },
    forget() {
      section = undefined;
    },
  };
}

/** A fact, and what it is compared by, which is found once for all others. */
type Compared = { fact: Fact; words: Words; vector: Int8Array | null };

/** By the words, and where those say nothing, by the meaning. */
function likeness(before: Pick<Compared, "words" | "vector">, now: Pick<Compared, "words" | "vector">): ReturnType<typeof compareFacts> {
  const byWords = compareFacts(before.words, now.words);
  if (byWords !== null || !before.vector || !now.vector) return byWords;
  return compareMeaning(before.words, now.words, nearness(before.vector, now.vector));
}

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
