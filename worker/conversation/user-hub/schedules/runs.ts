/** Runs of schedules: what is due begins one, and each is taken on step by step until its reply has ended. */
import { ERRORS } from "#shared/errors.ts";
import { isLive } from "#shared/is-live.ts";
import { withLastAnswer } from "#shared/last-answer.ts";
import { SCHEDULE_FAILURES } from "#shared/limits.ts";
import { nextTime } from "#shared/schedules/next-times.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { isNothingToReport } from "#worker/conversation/schedules/nothing-to-report.ts";
import { comparePages } from "#worker/conversation/schedules/page-change.ts";
import { type Prepared, prepareRun } from "#worker/conversation/schedules/prepare-run.ts";
import { readPage } from "#worker/conversation/schedules/read-page.ts";
import { approvedPromptText, messagesOfRun } from "#worker/conversation/schedules/steps.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnStatus } from "#worker/conversation/turn/turn-status.ts";
import type { Notices } from "../notices/notices.ts";
import { readOrigin } from "../notices/origin.ts";
import { findRun, findSchedule, openRunOf, putRun, putSchedule, type StoredRun, type StoredSchedule } from "./rows.ts";

const MINUTE_MS = 60_000;
/** A reply under way is looked after so often, where nothing reported its end; one that waits for a decision less often. */
const REPLY_POLL_MS = 10 * MINUTE_MS;
/** What passes by itself, or may, is waited for so long from when it first failed. */
const PATIENCE_MS = 30 * MINUTE_MS;
/** Looks at pages take so much of so long a time. */
const PAGE_CHECKS_BUDGET_MS = MINUTE_MS;
const PAGE_CHECKS_PERIOD_MS = 2 * MINUTE_MS;
const PASSING = new Set([
  "TURN_IN_PROGRESS",
  "CHAT_MOVED_ON",
  "RATE_LIMITED",
  "USAGE_CHECK_FAILED",
  "AGGREGATOR_UNAVAILABLE",
  "INTERNAL",
  "STREAMS_LIMITED",
]);

export type ScheduleDeps = {
  ctx: DurableObjectState;
  env: Env;
  features: Features;
  userId: string;
  due: () => Pick<DueWork<"schedule" | "schedule-run">, "schedule" | "cancel">;
  notices: () => Pick<Notices, "jobs">;
};

type Deps = Omit<ScheduleDeps, "ctx"> & { storage: DurableObjectStorage; notify(): void };

/** How a run ended. */
type End = { state: "done" | "quiet" | "failed" | "stopped" | "skipped"; note?: string | null };

/** A step to send, one that was sent before, or `next`, when to come again where neither is so. */
type Ready =
  | { kind: "over"; next: number | null }
  | { kind: "begun"; run: StoredRun; replyId: string }
  | (Extract<Prepared, { kind: "ready" }> & { run: StoredRun });

/** The runs of one user's schedules. */
export class ScheduleRuns {
  readonly #deps: Deps;
  readonly #sql: SqlStorage;
  #pageChecks = { from: 0, ms: 0 };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  /** Writes a run that is to begin. */
  begin(
    schedule: StoredSchedule,
    { id, dueAt, difference = null, pageText = null }: { id: string; dueAt: number; difference?: string | null; pageText?: string | null },
  ): StoredRun {
    const run: StoredRun = { ...NEW_RUN, id, scheduleId: schedule.id, dueAt, startedAt: Date.now(), difference, pageText };
    putRun(this.#sql, run);
    return run;
  }

  /** Begins the run that is due, or looks at the page; answers when it is due again. */
  async occur(id: string): Promise<number | null> {
    const schedule = findSchedule(this.#sql, id);
    if (!schedule || schedule.state !== "active" || schedule.nextAt === null) return null;
    const dueAt = schedule.nextAt;
    if (dueAt > Date.now()) return dueAt;
    if (schedule.body.when.kind === "page") return this.#checkPage(schedule, schedule.body.when.url);
    const runId = crypto.randomUUID();
    const after = this.#deps.storage.transactionSync(() => {
      const { missed, last } = missedTimes(schedule, dueAt, Date.now());
      for (const at of missed) this.#skip(schedule, at, "It was missed, and a later time took its place.");
      if (openRunOf(this.#sql, id)) this.#skip(schedule, last, "The run before it was still going on.");
      else this.begin(schedule, { id: runId, dueAt: last });
      const moved = { ...moveOn(schedule), note: null, deferredUntil: null };
      putSchedule(this.#sql, moved);
      return moved;
    });
    await this.#deps.due().schedule("schedule-run", runId, Date.now());
    this.#deps.notify();
    return after.state === "active" ? after.nextAt : null;
  }

  /** Takes a run on: sends its step, or looks how its reply stands; answers when to come again, null once it has ended. */
  async advance(runId: string): Promise<number | null> {
    const run = findRun(this.#sql, runId);
    const schedule = run && findSchedule(this.#sql, run.scheduleId);
    if (!run || !schedule || run.endedAt !== null) return null;
    try {
      return await (run.replyId === null ? this.#beginStep(schedule, run) : this.#poll(schedule, run));
    } catch (cause) {
      const failed = findRun(this.#sql, runId);
      if (!failed || failed.endedAt !== null || this.#keepsTrying(failed)) throw cause;
      log.error("a schedule's run was given up", { cause });
      return this.#end(failed, { state: "failed", note: ERRORS.INTERNAL.message });
    }
  }

  #skip(schedule: StoredSchedule, dueAt: number, note: string): void {
    putRun(this.#sql, { ...NEW_RUN, id: crypto.randomUUID(), scheduleId: schedule.id, dueAt, endedAt: Date.now(), state: "skipped", note });
  }

  /** Pages are looked at one after the other while all else that is due waits: answers when to come again where enough of them were. */
  #nextPageCheckAt(): number | null {
    if (Date.now() >= this.#pageChecks.from + PAGE_CHECKS_PERIOD_MS) this.#pageChecks = { from: Date.now(), ms: 0 };
    return this.#pageChecks.ms < PAGE_CHECKS_BUDGET_MS ? null : this.#pageChecks.from + PAGE_CHECKS_PERIOD_MS;
  }

  /** Looks whether a page's text changed; the first look is what later ones are compared with. */
  async #checkPage({ id, updatedAt }: StoredSchedule, url: string): Promise<number | null> {
    const later = this.#nextPageCheckAt();
    if (later !== null) return later;
    const began = Date.now();
    const origin = readOrigin(this.#deps.env, this.#sql);
    const read = await readPage(this.#deps.env, url, origin === null ? undefined : new URL(origin).hostname);
    this.#pageChecks.ms += Date.now() - began;
    const schedule = findSchedule(this.#sql, id);
    // It was changed meanwhile, and has a time of its own.
    if (!schedule || schedule.updatedAt !== updatedAt || schedule.state !== "active") return schedule?.nextAt ?? null;
    const at = new Date().toISOString();
    const moved = moveOn(schedule);
    if (!read.ok) {
      const failures = schedule.page.failures + 1;
      putSchedule(this.#sql, { ...moved, page: { ...schedule.page, at, failures } });
      if (failures < SCHEDULE_FAILURES) return this.#settled(moved);
      const run = this.begin(moved, { id: crypto.randomUUID(), dueAt: schedule.nextAt ?? Date.now() });
      await this.#end(
        run,
        { state: "failed", note: `The page could not be read ${SCHEDULE_FAILURES} times in a row: ${read.reason}` },
        SCHEDULE_FAILURES,
      );
      return null;
    }
    const { text } = schedule.page;
    const difference = text === null ? null : comparePages(text, read.text);
    if (difference === null || openRunOf(this.#sql, id)) {
      // What changes during a run is found by the next look.
      const keepsOldText = text !== null && difference !== null;
      putSchedule(this.#sql, { ...moved, page: { text: keepsOldText ? text : read.text, at, failures: 0 } });
      return this.#settled(moved);
    }
    const run = this.#deps.storage.transactionSync(() => {
      putSchedule(this.#sql, { ...moved, page: { text, at, failures: 0 } });
      return this.begin(moved, { id: crypto.randomUUID(), dueAt: schedule.nextAt ?? Date.now(), difference, pageText: read.text });
    });
    await this.#deps.due().schedule("schedule-run", run.id, Date.now());
    return this.#settled(moved);
  }

  #settled(schedule: StoredSchedule): number | null {
    this.#deps.notify();
    return schedule.nextAt;
  }

  /** True while what failed will be tried again; when it first did is kept. */
  #keepsTrying(run: StoredRun): boolean {
    const since = run.failingSince ?? Date.now();
    if (run.failingSince === null) putRun(this.#sql, { ...run, failingSince: since });
    return Date.now() - since < PATIENCE_MS;
  }

  /** Sends the step that the run is at, once: a message that is there already is not sent again. */
  async #beginStep(schedule: StoredSchedule, begun: StoredRun): Promise<number | null> {
    const ready = await this.#prepare(schedule, begun);
    switch (ready.kind) {
      case "over":
        return ready.next;
      case "begun":
        return this.#follow(schedule, ready.run, ready.replyId);
      case "ready":
        return this.#send(schedule, ready.run, ready);
    }
  }

  async #prepare(schedule: StoredSchedule, begun: StoredRun): Promise<Ready> {
    const questionId = await uuidOfName(`schedule-step:${begun.id}:${begun.step}`);
    try {
      const steps = begun.steps ?? (await this.#agreedSteps(schedule, begun.difference));
      const place = await this.#placeOf(schedule, { ...begun, steps });
      const run = place.run;
      if (!this.#isStill(run)) return { kind: "over", next: null };
      putRun(this.#sql, run);
      if (place.seen?.reply) return { kind: "begun", run, replyId: place.seen.reply.id };
      const prepared = await prepareRun(
        { env: this.#deps.env, features: this.#deps.features },
        {
          userId: this.#deps.userId,
          questionId,
          chatId: place.chatId,
          content: steps[run.step] ?? "",
          ...(place.seen ? { parentId: place.seen.leafId, modelId: place.seen.modelId } : { parentId: null, modelId: null }),
          isNew: place.seen === null,
          spentMicros: run.costMicros ?? 0,
          schedule: { id: schedule.id, page: pageOf(schedule, run), body: schedule.body },
        },
      );
      return prepared.kind === "held" ? { kind: "over", next: await this.#hold(schedule, run, prepared.message) } : { ...prepared, run };
    } catch (cause) {
      if (cause instanceof AppError)
        return { kind: "over", next: await this.#refused(begun, { code: cause.code, message: cause.message }) };
      throw cause;
    }
  }

  /** What a run sends: what others made of its prompt since its person agreed to it waits for their word, and the schedule says so. */
  async #agreedSteps(schedule: StoredSchedule, difference: string | null): Promise<string[]> {
    const { text: promptText, isOutdated } = await approvedPromptText(this.#deps.env, this.#deps.userId, schedule);
    const now = findSchedule(this.#sql, schedule.id);
    const note = isOutdated ? OUTDATED : (now?.note ?? null);
    const isKnown = now === null || (now.promptText === promptText && now.note === note);
    if (!isKnown && now.updatedAt === schedule.updatedAt) putSchedule(this.#sql, { ...now, promptText, note });
    return messagesOfRun(this.#deps.env, this.#deps.userId, { body: schedule.body, promptText }, difference);
  }

  async #send(
    schedule: StoredSchedule,
    run: StoredRun,
    { request, drop }: Pick<Extract<Prepared, { kind: "ready" }>, "request" | "drop">,
  ): Promise<number | null> {
    const sent: Outcome<{ replyId: string }> = await roomOf(this.#deps.env, request.chatId).beginTurn(request);
    if (sent.ok) return this.#follow(schedule, run, sent.value.replyId);
    await drop();
    return this.#refused(run, sent);
  }

  /** The chat that a run's answer goes to, and how it stands there; nothing is seen of a chat that is yet to begin. */
  async #placeOf(schedule: StoredSchedule, run: StoredRun): Promise<{ chatId: string; run: StoredRun; seen: TurnStatus | null }> {
    const { chat } = schedule.body;
    const questionId = await uuidOfName(`schedule-step:${run.id}:${run.step}`);
    const known = run.chatId ?? (chat === "same" ? schedule.chatId : null);
    const chatId = known ?? (await uuidOfName(`schedule-chat:${run.id}`));
    const seen: Outcome<TurnStatus> = await roomOf(this.#deps.env, chatId).readTurnStatus({ userId: this.#deps.userId }, questionId);
    if (seen.ok) return { chatId, run: { ...run, chatId }, seen: seen.value };
    // Its one chat is gone: it goes on in another.
    if (run.chatId === null && known !== null && seen.code === "NOT_FOUND") {
      const next = await uuidOfName(`schedule-chat:${run.id}`);
      return { chatId: next, run: { ...run, chatId: next }, seen: null };
    }
    if (seen.code !== "NOT_FOUND" || run.step > 0) throw new AppError(seen.code, { message: seen.message ?? ERRORS[seen.code].message });
    return { chatId, run: { ...run, chatId }, seen: null };
  }

  /** The reply has begun: what its page says now is known, and its one chat is. */
  async #follow(schedule: StoredSchedule, run: StoredRun, replyId: string): Promise<number | null> {
    if (!this.#isStill(run)) return null;
    const started: StoredRun = { ...run, replyId, note: null, failingSince: null };
    putRun(this.#sql, started);
    const now = findSchedule(this.#sql, schedule.id) ?? schedule;
    const isKnown = now.body.chat !== "same" || now.chatId === run.chatId;
    const wasDeferred = run.step > 0 && run.note !== null && now.note === run.note;
    if (!isKnown || wasDeferred || run.pageText !== null) {
      const page = run.pageText === null ? now.page : { ...now.page, text: run.pageText };
      const chatId = now.body.chat === "same" ? run.chatId : now.chatId;
      putSchedule(this.#sql, { ...now, page, chatId, ...(wasDeferred && { note: null, deferredUntil: null }) });
    }
    this.#deps.notify();
    return this.#poll(schedule, started);
  }

  async #poll(schedule: StoredSchedule, run: StoredRun): Promise<number | null> {
    const questionId = await uuidOfName(`schedule-step:${run.id}:${run.step}`);
    const seen: Outcome<TurnStatus> = await roomOf(this.#deps.env, run.chatId ?? "").readTurnStatus(
      { userId: this.#deps.userId },
      questionId,
    );
    if (!this.#isStill(run)) return null;
    const reply = seen.ok ? seen.value.reply : null;
    if (!reply) return this.#end(run, { state: "stopped", note: "Its chat is gone." });
    if (isLive(reply.status)) {
      const state = reply.status === "waiting" ? "waiting" : "running";
      if (run.state !== state || run.failingSince !== null) putRun(this.#sql, { ...run, state, failingSince: null });
      if (run.state !== state) this.#deps.notify();
      return Date.now() + REPLY_POLL_MS;
    }
    const paid = { ...run, costMicros: (run.costMicros ?? 0) + (reply.costMicros ?? 0) };
    if (reply.status === "stopped") return this.#end(paid, { state: "stopped" });
    if (reply.status !== "done") return this.#end(paid, { state: "failed", note: reply.error ?? "The answer broke off." });
    const steps = run.steps ?? [];
    if (run.step + 1 >= steps.length) return this.#end(paid, { state: isNothingToReport(reply.text) ? "quiet" : "done" });
    // Of what was sent nothing is needed any more, and a row has a bound.
    const next = steps.map((text, index) => (index <= run.step ? "" : index === run.step + 1 ? withLastAnswer(text, reply.text) : text));
    const further = { ...paid, steps: next, step: run.step + 1, replyId: null, state: "running" as const, failingSince: null };
    putRun(this.#sql, further);
    return this.#beginStep(schedule, further);
  }

  async #refused(
    { id }: StoredRun,
    { code, message }: { code: keyof typeof ERRORS; message?: string | undefined },
  ): Promise<number | null> {
    const run = findRun(this.#sql, id);
    if (!run || run.endedAt !== null) return null;
    return PASSING.has(code) && this.#keepsTrying(run)
      ? Date.now() + MINUTE_MS
      : this.#end(this.#withoutNewChat(run), { state: "failed", note: message ?? ERRORS[code].message });
  }

  /** A chat that was to begin with its first step, which was not taken, is none. */
  #withoutNewChat(run: StoredRun): StoredRun {
    const hasChat = run.step > 0 || findSchedule(this.#sql, run.scheduleId)?.chatId === run.chatId;
    return hasChat ? run : { ...run, chatId: null };
  }

  /** The day's budget is used up: the schedule rests until it begins anew, and then goes on with a run that had begun. */
  async #hold(schedule: StoredSchedule, run: StoredRun, note: string): Promise<number | null> {
    if (!this.#isStill(run)) return null;
    const until = endOfDay(Date.now());
    const { when, time_zone: zone } = schedule.body;
    const hasBegun = run.step > 0;
    // A run that has begun goes on by itself; the one time of one that has not is moved.
    const nextAt = nextTime(when, { zone, anchor: schedule.anchor }, until) ?? (hasBegun ? null : until);
    const now = findSchedule(this.#sql, schedule.id);
    if (now && now.state !== "paused") {
      putSchedule(this.#sql, { ...now, state: nextAt === null ? now.state : "active", nextAt, deferredUntil: until, note });
      if (nextAt !== null) await this.#deps.due().schedule("schedule", schedule.id, nextAt);
    }
    const path = hasBegun ? `/c/${run.chatId}` : "/schedules";
    const day = new Date().toISOString().slice(0, 10);
    const job = {
      id: `schedule-held-${day}`,
      what: "schedule" as const,
      title: schedule.body.title,
      isOk: false,
      isDeferred: true,
      summary: note,
      path,
    };
    await this.#deps.notices().jobs.note(job);
    if (!hasBegun) return this.#end(this.#withoutNewChat(run), { state: "skipped", note });
    putRun(this.#sql, { ...run, note, failingSince: null });
    this.#deps.notify();
    return until;
  }

  /** True while a run is as it was: meanwhile its schedule may have been deleted. */
  #isStill(run: StoredRun): boolean {
    const found = findRun(this.#sql, run.id);
    return found !== null && found.endedAt === null;
  }

  async #end(run: StoredRun, { state, note = null }: End, failed = 1): Promise<null> {
    putRun(this.#sql, { ...run, state, note, endedAt: Date.now(), ...CLEARED_AT_END });
    const schedule = findSchedule(this.#sql, run.scheduleId);
    if (!schedule) return null;
    const isOk = state === "done" || state === "quiet";
    const failures = isOk ? 0 : schedule.failures + (state === "failed" ? failed : 0);
    const isPaused = state === "failed" && failures >= SCHEDULE_FAILURES && schedule.state === "active";
    const why = `Paused after ${SCHEDULE_FAILURES} failures in a row.${note === null ? "" : ` ${note}`}`;
    putSchedule(this.#sql, { ...schedule, failures, ...(isPaused && { state: "paused", note: why }) });
    if (isPaused) this.#deps.due().cancel("schedule", schedule.id);
    this.#deps.notify();
    if (state === "done" || state === "failed") await this.#noteEnd(schedule, run, { isOk, note: isPaused ? why : note });
    return null;
  }

  async #noteEnd({ body }: StoredSchedule, run: StoredRun, { isOk, note }: { isOk: boolean; note: string | null }): Promise<void> {
    const path = run.chatId === null || run.replyId === null ? "/schedules" : `/c/${run.chatId}`;
    await this.#deps.notices().jobs.note({ id: `schedule-${run.id}`, what: "schedule", title: body.title, isOk, summary: note, path });
  }
}

/** When it is due again after now; one without further times is over. */
function moveOn(schedule: StoredSchedule): StoredSchedule {
  const { when, time_zone: zone } = schedule.body;
  const nextAt = nextTime(when, { zone, anchor: schedule.anchor }, Date.now());
  return { ...schedule, nextAt, state: nextAt === null ? "done" : schedule.state };
}

/** The page whose changes a run reports. */
function pageOf({ body }: StoredSchedule, run: StoredRun): string | null {
  return run.difference !== null && run.step === 0 && body.when.kind === "page" ? body.when.url : null;
}

const OUTDATED =
  "Its prompt was changed by somebody else since you saved this schedule, so it sends what the prompt said then. Read the prompt and save the schedule again to send what it says now.";

/** What of a run nobody needs once it has ended. */
const CLEARED_AT_END = { steps: null, difference: null, pageText: null, failingSince: null };

const NEW_RUN: Omit<StoredRun, "id" | "scheduleId" | "dueAt"> = {
  startedAt: null,
  endedAt: null,
  state: "running",
  chatId: null,
  replyId: null,
  step: 0,
  steps: null,
  difference: null,
  pageText: null,
  costMicros: null,
  note: null,
  failingSince: null,
};

const DAY_MS = 24 * 60 * 60_000;
/** So many missed times are shown; older ones are left out. */
const SHOWN = 20;

/** The times of a schedule from the one that was due until now: the last one, which runs, and those before it, which are left out. */
function missedTimes(
  { body, anchor }: Pick<StoredSchedule, "body" | "anchor">,
  dueAt: number,
  now: number,
): { missed: number[]; last: number } {
  const missed: number[] = [];
  let last = dueAt;
  for (;;) {
    const next = nextTime(body.when, { zone: body.time_zone, anchor }, last);
    if (next === null || next > now) break;
    missed.push(last);
    if (missed.length > SHOWN) missed.shift();
    last = next;
  }
  return { missed, last };
}

/** When the day of UTC ends, in epoch milliseconds: then the day's budget begins anew. */
function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}
