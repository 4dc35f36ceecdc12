/** What tool calls have set going outside: followed by the room's alarm to its end, paid for, and reported to the chat as a turn of its own. */
import { ERRORS } from "#shared/errors.ts";
import { type Run } from "#shared/entities/outbound/run.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import { prepareTriggered } from "#worker/conversation/chats/prepare-triggered.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { NewRun, OutsideRuns, PlacedRun, RunFacts, RunPlace } from "#worker/conversation/tools/outside/outside-runs.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { levelOf, NOT_FOUND, refuse } from "../access/access.ts";
import { chargeRun } from "../charges/charges.ts";
import { readChat, readSettings, storedTurn, teamOf } from "../chat.ts";
import { leafAfter } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { nextExpiry, setOutput } from "../messages/tool-rounds.ts";
import type { Follower } from "#worker/conversation/tools/outside/follower.ts";
import { deleteRun, findRun, insertRun, listRuns, liveRuns, unnotifiedRuns, updateRun } from "./run-rows.ts";
import type { StoredRun } from "#worker/conversation/tools/outside/follower.ts";

/** A reply under way is waited for, and what could not be begun is begun again, after so many milliseconds. */
const AGAIN_MS = 15_000;
/** One that waits for a person's word may do so for days; whoever decides has what waits behind it go on at once. */
const BEHIND_WORD_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
/** What a service has neither taken nor refused by then, in minutes, nobody knows of. */
const UNCERTAIN_MINUTES = 2;
/** The same for a call, after its longest time: until then its service may report on it. */
const UNCERTAIN_CALL_MINUTES = 10;
/** What the model reads where the longest time of a call cannot be paid. */
const NO_CREDIT = "There is not enough credit left for its longest time.";
const NO_BUDGET = "What is left of the budget that it counts against does not pay for its longest time.";
/** States of what has not ended. */
const OPEN: ReadonlySet<Run["state"]> = new Set(["planned", "starting", "running"]);
/** A call's hold stands under this, as it outlives its reply. */
const HOLD = 0;

const PASSING = new Set(["TURN_IN_PROGRESS", "CHAT_MOVED_ON", "RATE_LIMITED", "USAGE_CHECK_FAILED", "AGGREGATOR_UNAVAILABLE", "INTERNAL"]);

type Deps = {
  env: Env;
  features: Features;
  storage: DurableObjectStorage;
  schedule(callId: string, at: number): Promise<void>;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Notifies the readers' tabs, and has what it cost reach its payer. */
  notify(): void;
};

/** What goes on outside for one room. */
export class Runs implements OutsideRuns {
  readonly #deps: Deps;
  readonly #sql: SqlStorage;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  async start(at: RunPlace, { holdDollars, ...facts }: NewRun, ask: () => Promise<PlacedRun>): Promise<PlacedRun> {
    const run = await this.#newRun(at, facts);
    const unpaid = await this.#hold(run, holdDollars);
    if (unpaid !== null) return { ok: false, error: unpaid };
    if (!insertRun(this.#sql, run)) return { ok: false, error: "This was begun already." };
    const placed = await this.#launch(run, ask);
    if (!placed.ok && !placed.isUncertain) {
      deleteRun(this.#sql, at.callId);
      await this.#release(run);
    }
    return placed;
  }

  async plan(at: RunPlace, facts: RunFacts, { startsAt, order }: Parameters<OutsideRuns["plan"]>[2]): Promise<boolean> {
    const run = await this.#newRun(at, facts);
    const isNew = insertRun(this.#sql, { ...run, state: "planned", starts_at: new Date(startsAt).toISOString(), order });
    if (!isNew) return false;
    await this.#deps.schedule(at.callId, startsAt);
    this.#deps.notify();
    return true;
  }

  list(): Run[] {
    return listRuns(this.#sql);
  }

  /** Has one ended, or one that waits not begin, by its person or another who may stop replies. */
  async stop(callId: string): Promise<Outcome<null>> {
    const run = findRun(this.#sql, callId);
    if (!run) return NOT_FOUND;
    if (run.state === "planned") {
      const changes = { state: "stopped", status: "cancelled", isConcluded: true } as const;
      this.#end(run, { output: "This was cancelled before it began.", dollars: null, changes });
      this.#deps.notify();
    }
    if (run.state !== "running") return { ok: true, value: null };
    const problem = await (await this.#deps.features.followers[run.kind]()).stop(this.#deps.env, run);
    if (problem !== null) return { ok: false, code: "INVALID_INPUT", message: problem };
    const known = findRun(this.#sql, callId);
    if (known?.state === "running") this.#change(known, { isStopping: true });
    await this.#deps.schedule(callId, Date.now());
    return { ok: true, value: null };
  }

  /** Its service has an update on it: it is looked at at once, and known by that name where it had none. What is over, or another's, changes nothing. */
  async nudge(callId: string, ref: string): Promise<void> {
    const run = findRun(this.#sql, callId);
    const isUnclaimed = run?.state === "starting" && run.ref === null;
    if (isUnclaimed) this.#change(run, { state: "running", ref });
    if (isUnclaimed || (run?.state === "running" && run.ref === ref)) await this.#deps.schedule(callId, Date.now());
  }

  /** A reply has ended: what ended meanwhile is reported now. */
  async resume(): Promise<void> {
    for (const callId of unnotifiedRuns(this.#sql)) await this.#deps.schedule(callId, Date.now());
  }

  /** Looks at one; answers when to look again, null where it is over. */
  async due(callId: string): Promise<number | null> {
    const run = findRun(this.#sql, callId);
    if (!run || run.isConcluded) return null;
    const follower = await this.#deps.features.followers[run.kind]();
    if (run.state === "planned") return this.#beginPlanned(run, follower);
    return run.ended_at === null ? this.#poll(run, follower) : this.#conclude(callId, follower);
  }

  /** The chat goes: what can be ended is, and paid for. */
  async abandon(): Promise<void> {
    for (const run of liveRuns(this.#sql)) {
      try {
        const follower = await this.#deps.features.followers[run.kind]();
        await follower.stop(this.#deps.env, run);
        const seen = run.ref === null ? null : await follower.look(this.#deps.env, run);
        const minutes = Math.ceil((Date.now() - Date.parse(run.started_at)) / 60_000);
        const dollars =
          run.max_minutes === null ? null : (seen?.ended?.dollars ?? follower.priceOf(this.#deps.env, Math.min(minutes, run.max_minutes)));
        this.#end(run, { output: "The chat was deleted.", dollars, changes: { state: "stopped", isConcluded: true } });
        await this.#release(run);
      } catch (cause) {
        log.error("what went on outside was not ended with its chat", { kind: run.kind, cause });
      }
    }
  }

  #change(run: StoredRun, changes: Partial<StoredRun>): StoredRun {
    const next = { ...run, ...changes };
    if (JSON.stringify(next) === JSON.stringify(run)) return run;
    updateRun(this.#sql, next);
    this.#deps.notify();
    return next;
  }

  async #release({ userId, call_id: callId }: StoredRun): Promise<void> {
    await hubOf(this.#deps.env, userId).release({ replyId: callId, generation: HOLD });
  }

  /** Notes the end of a run once: what its model gets, and what it cost. */
  #end(run: StoredRun, { output, dollars, changes }: { output: string; dollars: number | null; changes: Partial<StoredRun> }): StoredRun {
    return this.#deps.storage.transactionSync(() => {
      const known = findRun(this.#sql, run.call_id);
      if (!known || !OPEN.has(known.state)) return known ?? run;
      const ended = { ...known, ...changes, cost: dollars, ended_at: new Date().toISOString() };
      updateRun(this.#sql, ended);
      setOutput(this.#sql, { replyId: run.reply_id, callId: run.call_id, output });
      if (dollars !== null) {
        const { reply_id: replyId, call_id: callId, userId: payerId } = run;
        chargeRun(this.#sql, { replyId, callId, payerId, micros: toMicros(dollars), modelId: TOOL_OF[run.kind] });
      }
      return ended;
    });
  }

  async #poll(run: StoredRun, follower: Follower): Promise<number | null> {
    const elapsed = Date.now() - Date.parse(run.started_at);
    if (run.ref === null) {
      const limit = run.max_minutes === null ? UNCERTAIN_MINUTES : run.max_minutes + UNCERTAIN_CALL_MINUTES;
      if (elapsed < limit * MINUTE_MS) return Date.now() + (elapsed < MINUTE_MS ? AGAIN_MS : MINUTE_MS);
      const note = "Whether this began is not known: the connection broke while it was asked for. It was not asked for again.";
      this.#end(run, { output: note, dollars: null, changes: { state: "failed", note } });
      return this.#conclude(run.call_id, follower);
    }
    const seen = await follower.look(this.#deps.env, run);
    if (!isCreated(this.#sql)) return null;
    const isLost = elapsed > follower.patience(run);
    if (seen?.ended) {
      this.#end(run, { ...seen.ended, changes: seen.change });
    } else if (isLost) {
      const note = "This took longer than it is followed for.";
      this.#end(run, { output: note, dollars: null, changes: { state: "failed", note } });
    } else {
      if (seen) this.#change(findRun(this.#sql, run.call_id) ?? run, seen.change);
      return Date.now() + follower.pace(elapsed);
    }
    return this.#conclude(run.call_id, follower);
  }

  /** Gives back what was reserved, and reports to the chat. */
  async #conclude(callId: string, follower: Follower): Promise<number | null> {
    const run = findRun(this.#sql, callId);
    if (!run || run.isConcluded) return null;
    this.#deps.notify();
    await this.#release(run);
    if (!isCreated(this.#sql)) return null;
    if (storedTurn(this.#sql)) return Date.now() + (nextExpiry(this.#sql) === null ? AGAIN_MS : BEHIND_WORD_MS);
    const begun: Outcome<unknown> = refuse(levelOf(this.#sql, run.userId), "send") ? NOT_FOUND : await this.#beginTurn(run, follower);
    if (!isCreated(this.#sql)) return null;
    if (!begun.ok && PASSING.has(begun.code)) return Date.now() + AGAIN_MS;
    const why = begun.ok
      ? {}
      : { note: [run.note, `No answer was begun: ${begun.message ?? ERRORS[begun.code].message}`].filter(Boolean).join(" ") };
    this.#change(run, { isConcluded: true, ...why });
    return null;
  }

  async #beginTurn(run: StoredRun, follower: Follower): Promise<Outcome<unknown>> {
    const { model_id: modelId, tool_categories: categories } = readSettings(this.#sql);
    const place = { chatId: readChat(this.#sql).id, parentId: leafAfter(this.#sql, run.userId, run.reply_id), modelId, categories };
    try {
      const asked = { userId: run.userId, id: run.turnId, content: follower.message(run), needs: follower.category, sources: run.sources };
      const request = await prepareTriggered({ env: this.#deps.env, features: this.#deps.features }, { ...asked, ...place });
      return request && isCreated(this.#sql) ? await this.#deps.begin(request) : NOT_FOUND;
    } catch (cause) {
      if (cause instanceof AppError) return { ok: false, code: cause.code, message: cause.message };
      throw cause;
    }
  }

  async #newRun({ callId, replyId, reader }: RunPlace, { kind, number, maxMinutes }: RunFacts): Promise<StoredRun> {
    // Asked while the turn is here that began it.
    const sources = storedTurn(this.#sql)?.request.sources ?? [];
    return {
      ...BEGINNING,
      call_id: callId,
      reply_id: replyId,
      kind,
      number,
      max_minutes: maxMinutes,
      started_at: new Date().toISOString(),
      ref: null,
      userId: reader.userId,
      turnId: await uuidOfName(`run:${callId}`),
      sources,
      isConcluded: false,
      isStopping: false,
    };
  }

  /** Reserves what one may cost; answers why that is not there, else null. */
  async #hold({ call_id: callId, reply_id: causedBy, userId }: StoredRun, dollars: number): Promise<string | null> {
    if (dollars <= 0) return null;
    const input = { replyId: callId, generation: HOLD, amountMicros: toMicros(dollars), teamId: teamOf(this.#sql), causedBy };
    const reservation = await hubOf(this.#deps.env, userId).reserveCall(input);
    return reservation.ok ? null : reservation.code === "INSUFFICIENT_CREDITS" ? NO_CREDIT : NO_BUDGET;
  }

  /** Has one begun that is noted as starting; what its service refused is for the caller to deal with. */
  async #launch({ call_id: callId, kind }: StoredRun, ask: () => Promise<PlacedRun>): Promise<PlacedRun> {
    await this.#deps.schedule(callId, Date.now() + AGAIN_MS);
    const placed = await ask();
    if (!placed.ok) return placed;
    const { ref, status, link } = placed;
    const known = findRun(this.#sql, callId);
    // Its service may have reported it, and its end, before it answered.
    if (known?.state === "starting") {
      this.#change(known, { state: "running", ref, status, links: link === null ? [] : [{ title: "The run", url: link }] });
    }
    const follower = await this.#deps.features.followers[kind]();
    await this.#deps.schedule(callId, Date.now() + follower.pace(0));
    return placed;
  }

  /** Begins one that waited, unless its person may not have it any more; answers when to look at it again. */
  async #beginPlanned(run: StoredRun, follower: Follower): Promise<number | null> {
    const ready = refuse(levelOf(this.#sql, run.userId), "send")
      ? ({ kind: "refused", error: "Whoever wanted it is not in this chat any more." } as const)
      : await follower.ready(this.#deps.env, readChat(this.#sql).id, run);
    if (ready.kind === "waits") {
      const known = isCreated(this.#sql) ? findRun(this.#sql, run.call_id) : null;
      if (known?.state !== "planned") return null;
      this.#change(known, { starts_at: new Date(ready.until).toISOString() });
      return ready.until;
    }
    if (ready.kind === "refused") return this.#notBegun(run, ready.error, follower);
    const unpaid = await this.#hold(run, ready.holdDollars);
    if (unpaid !== null) return this.#notBegun(run, unpaid, follower);
    // It may have been cancelled meanwhile.
    const known = isCreated(this.#sql) ? findRun(this.#sql, run.call_id) : null;
    if (known?.state !== "planned") {
      await this.#release(run);
      return null;
    }
    this.#change(known, { state: "starting", started_at: new Date().toISOString() });
    const placed = await this.#launch(known, ready.begin);
    if (!isCreated(this.#sql)) return null;
    if (!placed.ok && !placed.isUncertain) return this.#notBegun(known, placed.error, follower);
    return Date.now() + (placed.ok ? follower.pace(0) : AGAIN_MS);
  }

  #notBegun(run: StoredRun, why: string, follower: Follower): Promise<number | null> {
    this.#end(run, { output: `This was not begun. ${why}`, dollars: null, changes: { state: "failed", status: "not-made", note: why } });
    return this.#conclude(run.call_id, follower);
  }
}

const BEGINNING = {
  state: "starting",
  status: null,
  links: [],
  summary: null,
  note: null,
  seconds: null,
  cost: null,
  ended_at: null,
  starts_at: null,
  order: null,
} as const satisfies Partial<StoredRun>;

/** What a run is entered in the ledger as. */
const TOOL_OF: Record<Run["kind"], string> = { code: "codegenCreateAgentRun", phone: "blandCall" };
