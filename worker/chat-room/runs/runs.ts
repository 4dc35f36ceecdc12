/** What tool calls have set going outside: followed by the room's alarm to its end, paid for, and reported to the chat as a turn of its own. */
import { ERRORS } from "#shared/errors.ts";
import { type Run } from "#shared/entities/outbound/run.ts";
import { AppError, type Outcome } from "#worker/app-error.ts";
import { prepareTriggered } from "#worker/chats/prepare-triggered.ts";
import { toMicros } from "#worker/credits/money.ts";
import type { Env } from "#worker/env.ts";
import { log } from "#worker/log.ts";
import { namedId } from "#worker/named-id.ts";
import type { OutsideRuns } from "#worker/tools/outside/outside-runs.ts";
import type { TurnRequest } from "#worker/turn/request.ts";
import { hubOf } from "#worker/user-hub/stub.ts";
import { levelOf, NOT_FOUND, refuse } from "../access/access.ts";
import { chargeRun } from "../charges/charges.ts";
import { readChat, readSettings, storedTurn, teamOf } from "../chat.ts";
import { leafAfter } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { nextExpiry } from "../replies/decide-call.ts";
import { setOutput } from "../replies/tool-rounds.ts";
import type { Follower } from "./looked-at.ts";
import { deleteRun, findRun, insertRun, listRuns, liveRuns, type StoredRun, unnotifiedRuns, updateRun } from "./run-rows.ts";
import { loadOnce } from "#worker/load-once.ts";

/** A reply under way is waited for, and what could not be begun is begun again, after so many milliseconds. */
const AGAIN_MS = 15_000;
/** One that waits for a person's word may do so for days; whoever decides has what waits behind it go on at once. */
const BEHIND_WORD_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
/** What a service has neither taken nor refused by then, in minutes, nobody knows of. */
const UNCERTAIN_MINUTES = 2;
/** The same for a call, after its longest time: until then its service may report on it. */
const UNCERTAIN_CALL_MINUTES = 10;
/** A call's hold stands under this, as it outlives its reply. */
const HOLD = 0;

const PASSING = new Set(["TURN_IN_PROGRESS", "RATE_LIMITED", "USAGE_CHECK_FAILED", "AGGREGATOR_UNAVAILABLE", "INTERNAL"]);

const code = loadOnce(() => import("./follow-code.ts"));
const phone = loadOnce(() => import("./follow-call.ts"));

/** Each is loaded when a room first follows one of its kind. */
const FOLLOWERS: Record<Run["kind"], () => Promise<Follower>> = {
  code: async () => (await code()).followCode,
  phone: async () => (await phone()).followCall,
};

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  schedule(callId: string, at: number): Promise<void>;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Notifies the readers' tabs, and has what it cost reach its payer. */
  notify(): void;
};

/** What goes on outside for one room. */
export type Runs = OutsideRuns & {
  list(): Run[];
  /** Has one ended by its person or another who may stop replies. */
  stop(callId: string): Promise<Outcome<null>>;
  /** Its service has news of it: it is looked at at once, and known by that name where it had none. What is over, or another's, changes nothing. */
  nudge(callId: string, ref: string): Promise<void>;
  /** A reply has ended: what ended meanwhile is reported now. */
  resume(): Promise<void>;
  /** Looks at one; answers when to look again, null where it is over. */
  due(callId: string): Promise<number | null>;
  /** The chat goes: what can be ended is, and paid for. */
  abandon(): Promise<void>;
};

/** What goes on outside for one room. */
export function createRuns({ env, storage, schedule, begin, notify }: Deps): Runs {
  const { sql } = storage;

  function change(run: StoredRun, changes: Partial<StoredRun>): StoredRun {
    const next = { ...run, ...changes };
    if (JSON.stringify(next) === JSON.stringify(run)) return run;
    updateRun(sql, next);
    notify();
    return next;
  }

  async function release({ userId, call_id: callId }: StoredRun): Promise<void> {
    await hubOf(env, userId).release({ replyId: callId, generation: HOLD });
  }

  /** Notes the end of a run once: what its model gets, and what it cost. */
  function end(
    run: StoredRun,
    { output, dollars, changes }: { output: string; dollars: number | null; changes: Partial<StoredRun> },
  ): StoredRun {
    return storage.transactionSync(() => {
      const known = findRun(sql, run.call_id);
      if (known?.state !== "running" && known?.state !== "starting") return known ?? run;
      const ended = { ...known, ...changes, cost: dollars, ended_at: new Date().toISOString() };
      updateRun(sql, ended);
      setOutput(sql, { replyId: run.reply_id, callId: run.call_id, output });
      if (dollars !== null) {
        const { reply_id: replyId, call_id: callId, userId: payerId } = run;
        chargeRun(sql, { replyId, callId, payerId, micros: toMicros(dollars), modelId: TOOL_OF[run.kind] });
      }
      return ended;
    });
  }

  async function look(run: StoredRun, follower: Follower): Promise<number | null> {
    const elapsed = Date.now() - Date.parse(run.started_at);
    if (run.ref === null) {
      const limit = run.max_minutes === null ? UNCERTAIN_MINUTES : run.max_minutes + UNCERTAIN_CALL_MINUTES;
      if (elapsed < limit * MINUTE_MS) return Date.now() + (elapsed < MINUTE_MS ? AGAIN_MS : MINUTE_MS);
      const note = "Whether this began is not known: the connection broke while it was asked for. It was not asked for again.";
      end(run, { output: note, dollars: null, changes: { state: "failed", note } });
      return conclude(run.call_id, follower);
    }
    const seen = await follower.look(env, run);
    if (!isCreated(sql)) return null;
    const isLost = elapsed > follower.patience(run);
    if (seen?.ended) {
      end(run, { ...seen.ended, changes: seen.change });
    } else if (isLost) {
      const note = "This took longer than it is followed for.";
      end(run, { output: note, dollars: null, changes: { state: "failed", note } });
    } else {
      if (seen) change(findRun(sql, run.call_id) ?? run, seen.change);
      return Date.now() + follower.pace(elapsed);
    }
    return conclude(run.call_id, follower);
  }

  /** Gives back what was held, and reports to the chat. */
  async function conclude(callId: string, follower: Follower): Promise<number | null> {
    const run = findRun(sql, callId);
    if (!run || run.isNotified) return null;
    notify();
    await release(run);
    if (!isCreated(sql)) return null;
    if (storedTurn(sql)) return Date.now() + (nextExpiry(sql) === null ? AGAIN_MS : BEHIND_WORD_MS);
    const begun: Outcome<unknown> = refuse(levelOf(sql, run.userId), "send") ? NOT_FOUND : await beginTurn(run, follower);
    if (!isCreated(sql)) return null;
    if (!begun.ok && PASSING.has(begun.code)) return Date.now() + AGAIN_MS;
    const why = begun.ok
      ? {}
      : { note: [run.note, `No answer was begun: ${begun.message ?? ERRORS[begun.code].message}`].filter(Boolean).join(" ") };
    change(run, { isNotified: true, ...why });
    return null;
  }

  async function beginTurn(run: StoredRun, follower: Follower): Promise<Outcome<unknown>> {
    const { model_id: modelId, tool_categories: categories } = readSettings(sql);
    const place = { chatId: readChat(sql).id, parentId: leafAfter(sql, run.userId, run.reply_id), modelId, categories };
    try {
      const asked = { userId: run.userId, id: run.turnId, content: follower.message(run), needs: follower.category };
      const request = await prepareTriggered(env, { ...asked, ...place });
      return request && isCreated(sql) ? await begin(request) : NOT_FOUND;
    } catch (cause) {
      if (cause instanceof AppError) return { ok: false, code: cause.code, message: cause.message };
      throw cause;
    }
  }

  return {
    async start({ callId, replyId, reader }, { kind, number, maxMinutes, holdDollars }, place) {
      const run: StoredRun = {
        ...BEGINNING,
        call_id: callId,
        reply_id: replyId,
        kind,
        number,
        max_minutes: maxMinutes,
        started_at: new Date().toISOString(),
        ref: null,
        userId: reader.userId,
        turnId: await namedId(`run:${callId}`),
        isNotified: false,
        isStopping: false,
      };
      if (holdDollars > 0) {
        const input = { replyId: callId, generation: HOLD, amountMicros: toMicros(holdDollars), teamId: teamOf(sql) };
        const held = await hubOf(env, reader.userId).reserveCall(input);
        if (!held.ok) return { ok: false, error: "There is not enough credit left for its longest time." };
      }
      if (!insertRun(sql, run)) return { ok: false, error: "This was begun already." };
      await schedule(callId, Date.now() + AGAIN_MS);
      const placed = await place();
      if (!placed.ok && placed.isUncertain) return placed;
      if (!placed.ok) {
        deleteRun(sql, callId);
        await release(run);
        return placed;
      }
      const { ref, status, link } = placed;
      const known = findRun(sql, callId);
      // Its service may have reported it, and its end, before it answered.
      if (known?.state === "starting") {
        change(known, { state: "running", ref, status, links: link === null ? [] : [{ title: "The run", url: link }] });
      }
      const follower = await FOLLOWERS[kind]();
      await schedule(callId, Date.now() + follower.pace(0));
      return placed;
    },
    list: () => listRuns(sql),
    async stop(callId) {
      const run = findRun(sql, callId);
      if (!run) return NOT_FOUND;
      if (run.state !== "running") return { ok: true, value: null };
      const problem = await (await FOLLOWERS[run.kind]()).stop(env, run);
      if (problem !== null) return { ok: false, code: "INVALID_INPUT", message: problem };
      const known = findRun(sql, callId);
      if (known?.state === "running") change(known, { isStopping: true });
      await schedule(callId, Date.now());
      return { ok: true, value: null };
    },
    async nudge(callId, ref) {
      const run = findRun(sql, callId);
      const isUnclaimed = run?.state === "starting" && run.ref === null;
      if (isUnclaimed) change(run, { state: "running", ref });
      if (isUnclaimed || (run?.state === "running" && run.ref === ref)) await schedule(callId, Date.now());
    },
    async resume() {
      for (const callId of unnotifiedRuns(sql)) await schedule(callId, Date.now());
    },
    async due(callId) {
      const run = findRun(sql, callId);
      if (!run || run.isNotified) return null;
      const follower = await FOLLOWERS[run.kind]();
      return run.ended_at === null ? look(run, follower) : conclude(callId, follower);
    },
    async abandon() {
      for (const run of liveRuns(sql)) {
        try {
          const follower = await FOLLOWERS[run.kind]();
          await follower.stop(env, run);
          const seen = run.ref === null ? null : await follower.look(env, run);
          const minutes = Math.ceil((Date.now() - Date.parse(run.started_at)) / 60_000);
          const dollars =
            run.max_minutes === null ? null : (seen?.ended?.dollars ?? follower.priceOf(env, Math.min(minutes, run.max_minutes)));
          end(run, { output: "The chat was deleted.", dollars, changes: { state: "stopped", isNotified: true } });
          await release(run);
        } catch (cause) {
          log.error("what went on outside was not ended with its chat", { kind: run.kind, cause });
        }
      }
    },
  };
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
} as const satisfies Partial<Run>;

/** What a run is entered in the ledger as. */
const TOOL_OF: Record<Run["kind"], string> = { code: "codegenCreateAgentRun", phone: "blandCall" };
