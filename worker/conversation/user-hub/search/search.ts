/** Search over one user's chats: the index kept up to date, and what it finds. */
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { reindexJob } from "#worker/conversation/search/reindex.ts";
import { createArtifactSearch } from "./artifact-search.ts";
import { createCatchUp } from "./search-catch-up.ts";
import { forgetChat, hasChatsToPurge, purgeRemovedChats, staleChats } from "./search-chats.ts";
import { find } from "./search-find.ts";
import { dropIndex, indexState, openIndex, resetIndex, lastSearchedAt } from "./search-schema.ts";
import type { Found, SearchInput } from "#worker/conversation/hub/rpc.ts";

/** A search waits this long for texts that changed since the last one, in milliseconds; then it answers with what it has. */
const PATIENCE_MS = 300;
/** Texts that changed are read this long after the change, in milliseconds, so a burst is one reading. */
const DELAY_MS = 60_000;
/** Artifacts that a search of everything shows. */
const ARTIFACTS_BESIDE = 5;
/** Who has not searched for this long, in milliseconds, pays for nothing: the next search reads what changed. */
const IDLE_SEARCH_MS = 14 * 24 * 60 * 60_000;
/** How exactly the last search's time is kept, in milliseconds: each writing is a billed row. */
const SEARCHED_STEP_MS = 24 * 60 * 60_000;

export type Search = {
  /** Finds what is sought; `isIncomplete` while texts are left to be read, which goes on. */
  find(input: SearchInput): Promise<Found & { isIncomplete: boolean }>;
  /** A chat changed: its texts are read before long, where its user searches at all. */
  noteChange(): Promise<void>;
  /** An artifact changed: the next search asks again what there is. */
  noteArtifact(): void;
  /** A chat is gone, or lost: nothing of it is found from now on. */
  forget(chatId: string): Promise<void>;
  /** What is due by now. */
  wake(): Promise<void>;
  /** Drops the index, to be read again from the list and the rooms. */
  clear(): false;
  /** Reads for some time; true once all is read. */
  rebuild(ms: number): Promise<boolean>;
};

type Deps = { ctx: DurableObjectState; env: Env; userId: string; due: Pick<DueWork<never>, "wakeBy"> };

/** True of what SQLite says when the index itself is damaged, not of a search that was asked wrongly. */
function isBroken(cause: unknown): boolean {
  return cause instanceof Error && /malformed|SQLITE_CORRUPT|no such table|vtable constructor/i.test(cause.message);
}

/** The search of one user's hub. */
export function createSearch({ ctx, env, userId, due }: Deps): Search {
  const { storage } = ctx;
  const { sql } = storage;
  const catchUp = createCatchUp({ storage, userId, read: (chatId, input) => roomOf(env, chatId).readTexts(userId, input) });
  const artifactSearch = createArtifactSearch({ storage, env, userId });
  /** Whether changes are followed by alarm, as far as this life of the object knows. */
  let isFollowing: boolean | null = null;
  let isAlarmSet = false;

  /** With the first page alone. */
  function isOfArtifacts({ kind, cursor, sources }: SearchInput): boolean {
    return (
      sources.includes("artifacts") && (kind === undefined || kind === "artifact") && cursor === undefined && configOf(env).hasArtifacts
    );
  }

  function noteSearch(): void {
    openIndex(storage);
    isFollowing = true;
    const now = Date.now();
    sql.exec("UPDATE search_state SET searched_at = ? WHERE searched_at < ?", now, now - SEARCHED_STEP_MS);
  }

  function isSearchedLately(): boolean {
    return lastSearchedAt(sql) > Date.now() - IDLE_SEARCH_MS;
  }

  async function setAlarm(): Promise<void> {
    if (isAlarmSet) return;
    isAlarmSet = true;
    await due.wakeBy(Date.now() + DELAY_MS);
  }

  /** True once all is read, false when the time is over first. */
  async function readFor(ms: number): Promise<boolean> {
    const reading = catchUp.run(true);
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), ms);
    const first = await Promise.race([reading, late]);
    clearTimeout(timer);
    if (first === "late") ctx.waitUntil(reading.catch((cause: unknown) => log.error("search index not read", { cause })));
    return !isStale();
  }

  function isStale(): boolean {
    return !catchUp.follow() || staleChats(sql, { all: true, limit: 1 }).length > 0;
  }

  async function findArtifacts({ q, workspace = "all", kind, limit }: SearchInput) {
    const { artifacts, isComplete } = await artifactSearch.find(q, { workspace, limit: kind === undefined ? ARTIFACTS_BESIDE : limit });
    return { artifacts, isIncomplete: !isComplete };
  }

  async function findNow(input: SearchInput): Promise<Found & { isIncomplete: boolean }> {
    // No chat's texts are read for it.
    if (input.kind === "artifact") {
      openIndex(storage);
      return {
        hits: [],
        nextCursor: null,
        ...(isOfArtifacts(input) ? await findArtifacts(input) : { artifacts: [], isIncomplete: false }),
      };
    }
    noteSearch();
    const isComplete = !isStale() || (await readFor(PATIENCE_MS));
    if (!isComplete || hasChatsToPurge(sql)) await setAlarm();
    const found = find(sql, userId, input);
    if (!isOfArtifacts(input)) return { ...found, isIncomplete: !isComplete };
    const { artifacts, isIncomplete } = await findArtifacts(input);
    return { ...found, artifacts, isIncomplete: !isComplete || isIncomplete };
  }

  function clear(): false {
    resetIndex(storage);
    artifactSearch.noteChange();
    return false;
  }

  return {
    async find(input) {
      try {
        return await findNow(input);
      } catch (cause) {
        if (!isBroken(cause)) throw cause;
        log.error("a search index is broken and is built anew", { userId, cause });
        clear();
        await enqueue(env, reindexJob, { userId, step: { name: "start" } });
        return { hits: [], nextCursor: null, isIncomplete: true };
      }
    },
    async noteChange() {
      isFollowing ??= isSearchedLately();
      if (isFollowing) await setAlarm();
    },
    noteArtifact: artifactSearch.noteChange,
    async forget(chatId) {
      const form = indexState(sql);
      // The next search builds it again without the chat.
      if (form === "other") dropIndex(storage);
      if (form !== "current") return;
      const isPurged = storage.transactionSync(() => {
        forgetChat(sql, chatId);
        return purgeRemovedChats(sql);
      });
      if (!isPurged) await setAlarm();
    },
    async wake() {
      isAlarmSet = false;
      if (isSearchedLately()) {
        openIndex(storage);
        await catchUp.run(false);
      } else if (indexState(sql) === "current") await catchUp.purge();
    },
    clear,
    async rebuild(ms) {
      openIndex(storage);
      return readFor(ms);
    },
  };
}
