import { DurableObject } from "cloudflare:workers";
import { createDueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { isMade, migrate } from "./migrations.ts";
import type { Claim, DriveIndexRpc, DriveState, ListedPage, ListingStep, Reader, Settled } from "./rpc.ts";

/** How often it is looked whether a run still goes on, in milliseconds. */
const WATCH_MS = 60_000;
/** A run that did nothing for so long is asked to go on. */
const STILL_MS = 2 * 60_000;
/** What changed is looked for so often. */
const REFRESH_MS = 24 * 60 * 60_000;

const runs = loadOnce(() => import("./run.ts"));
const files = loadOnce(() => import("./files.ts"));
const lanes = loadOnce(() => import("./lanes.ts"));
const access = loadOnce(() => import("#worker/integrations/google/access.ts"));
const starting = loadOnce(() => import("#worker/integrations/google/drive/start-indexing.ts"));
const loadContinue = loadOnce(() => import("#worker/integrations/google/drive/continue-indexing.ts"));
const forgetting = loadOnce(() => import("#worker/integrations/google/drive/forget-drive.ts"));

/** The index of a person's Drive. Wiring only; what is asked of one that is not there makes none. */
export class DriveIndex extends DurableObject<Env> implements DriveIndexRpc {
  readonly #due = createDueWork(this.ctx.storage, { watch: () => this.#watch(), refresh: () => this.#refresh() });

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  get #isMade(): boolean {
    if (!isMade(this.ctx.storage)) return false;
    migrate(this.ctx.storage);
    return true;
  }

  async begin(owner: { userId: string; isAsked: boolean }): Promise<{ run: string; isNew: boolean }> {
    const { beginRun } = await runs();
    migrate(this.ctx.storage);
    const begun = this.ctx.storage.transactionSync(() => beginRun(this.#sql, owner));
    await this.#due.schedule("watch", "run", Date.now() + WATCH_MS);
    return begun;
  }

  async state(): Promise<DriveState | null> {
    const { describeRun } = await runs();
    return this.#isMade ? describeRun(this.#sql) : null;
  }

  async listing(run: string): Promise<ListingStep | null> {
    const { findRunInPhase, nextListing } = await runs();
    const current = this.#isMade ? findRunInPhase(this.#sql, run, "listing") : undefined;
    return current ? nextListing(current) : null;
  }

  async restart(run: string): Promise<void> {
    const { findRunInPhase, restartListing } = await runs();
    if (this.#isMade && findRunInPhase(this.#sql, run, "listing")) restartListing(this.#sql);
  }

  async keepChangesStart(run: string, token: string): Promise<void> {
    const { findRunInPhase } = await runs();
    if (this.#isMade && findRunInPhase(this.#sql, run, "listing")) this.#sql.exec("UPDATE run SET changes_from = ?", token);
  }

  async keepPage(run: string, page: ListedPage): Promise<boolean> {
    const [{ noteProgress }, { storeListedPage: keepPage }] = await Promise.all([runs(), files()]);
    if (!this.#isMade) return false;
    return this.ctx.storage.transactionSync(() => {
      const isStored = keepPage(this.#sql, run, page);
      if (isStored) noteProgress(this.#sql);
      return isStored;
    });
  }

  async claim(run: string, how: { lane: number; token: string; limit: number }): Promise<Claim> {
    const [{ findRunInPhase }, { claimFiles }, { releaseLane, claimLane }] = await Promise.all([runs(), files(), lanes()]);
    const current = this.#isMade ? findRunInPhase(this.#sql, run, "reading") : undefined;
    if (!current) return { files: [], waitMs: 0, claim: null };
    return this.ctx.storage.transactionSync(() => {
      const claim = claimLane(this.#sql, how);
      const waitMs = Math.max(0, current.wait_until - Date.now());
      if (claim === null || waitMs > 0) return { files: [], waitMs, claim };
      const claimed = claimFiles(this.#sql, how);
      if (claimed.length === 0) releaseLane(this.#sql, how.lane);
      return { files: claimed, waitMs, claim };
    });
  }

  async holds(run: string, reader: Reader): Promise<boolean> {
    const [{ findRun }, { holdsLane }] = await Promise.all([runs(), lanes()]);
    return this.#isMade && findRun(this.#sql)?.run === run && holdsLane(this.#sql, reader);
  }

  async settle(run: string, reader: Reader, settled: Settled[]): Promise<boolean> {
    const [{ findRun, noteProgress }, { uncountAttempt, settleFile }, { holdsLane }] = await Promise.all([runs(), files(), lanes()]);
    if (!this.#isMade || findRun(this.#sql)?.run !== run) return false;
    return this.ctx.storage.transactionSync(() => {
      if (!holdsLane(this.#sql, reader)) {
        for (const { id } of settled) uncountAttempt(this.#sql, id);
        return false;
      }
      for (const one of settled) settleFile(this.#sql, reader.lane, one);
      if (settled.some(({ as }) => as !== "later" && as !== "trouble")) noteProgress(this.#sql);
      return true;
    });
  }

  async pass(run: string, reader: Reader, afterMs: number): Promise<string | null> {
    const { passLane } = await lanes();
    return (await this.holds(run, reader)) ? passLane(this.#sql, reader.lane, afterMs) : null;
  }

  async isRead(run: string): Promise<boolean> {
    const [{ findRunInPhase }, { isAllRead }] = await Promise.all([runs(), files()]);
    return this.#isMade && findRunInPhase(this.#sql, run, "reading") !== undefined && isAllRead(this.#sql);
  }

  async backOff(run: string, atLeastMs: number | null): Promise<{ waitMs: number; isOver: boolean }> {
    const { findRun, isListingOver, noteWait } = await runs();
    const current = this.#isMade ? findRun(this.#sql) : undefined;
    if (current?.run !== run) return { waitMs: 0, isOver: false };
    return { waitMs: noteWait(this.#sql, current, atLeastMs), isOver: isListingOver(current) };
  }

  async finish(run: string, end: { isOk: boolean; message: string }): Promise<void> {
    const { endRun, findRun, isRunning } = await runs();
    const current = this.#isMade ? findRun(this.#sql) : undefined;
    if (!isRunning(current) || current.run !== run) return;
    this.ctx.storage.transactionSync(() => endRun(this.#sql, end));
    this.#due.cancel("watch", "run");
    await this.#due.schedule("refresh", "run", Date.now() + REFRESH_MS);
  }

  async find(id: string): Promise<{ name: string; link: string | null } | null> {
    const { findIndexed } = await files();
    return this.#isMade ? findIndexed(this.#sql, id) : null;
  }

  async indexedAmong(ids: string[]): Promise<string[]> {
    const { indexedAmong } = await files();
    return this.#isMade ? indexedAmong(this.#sql, ids) : [];
  }

  async ownAmong(ids: string[]): Promise<string[]> {
    const { ownAmong } = await files();
    return this.#isMade ? ownAmong(this.#sql, ids) : [];
  }

  async drop(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#due.forget();
  }

  /** A queue may have given a run's messages up, or lost them. */
  async #watch(): Promise<number | null> {
    const [{ findRun, isRunning }, { reopenLanes }] = await Promise.all([runs(), lanes()]);
    const current = this.#isMade ? findRun(this.#sql) : undefined;
    if (!isRunning(current)) return null;
    const still = Date.now() - Math.max(current.progress_at, current.wait_until);
    if (still > STILL_MS) {
      const { continueIndexing } = await loadContinue();
      const free = current.phase === "reading" ? reopenLanes(this.#sql) : [];
      await continueIndexing(this.env, { userId: current.user_id, run: current.run, phase: current.phase, lanes: free });
    }
    return Date.now() + WATCH_MS;
  }

  async #refresh(): Promise<number | null> {
    const { findRun } = await runs();
    const current = this.#isMade ? findRun(this.#sql) : undefined;
    if (!current) return null;
    const [{ isConnected }, { deleteIndexContents }] = await Promise.all([access(), forgetting()]);
    // Its person is gone, or its connection; one whose grant is over may be connected again.
    if (!(await isConnected(this.env, current.user_id))) {
      await deleteIndexContents(this.env, current.user_id);
      await this.drop();
      return null;
    }
    const { startIndexing } = await starting();
    await startIndexing(this.env, { userId: current.user_id, isAsked: false });
    return Date.now() + REFRESH_MS;
  }

  override async alarm(): Promise<void> {
    await this.#due.run();
  }
}
