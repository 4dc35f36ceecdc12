import type { Compaction } from "#shared/entities/compaction.ts";
import type { Priced } from "#worker/platform/spending/longest-answer.ts";
import { log } from "#worker/platform/log.ts";
import { amountOf, noteCharge, tokensOf } from "../charges/charges.ts";
import { compactionsOnPath, storeCompaction, toCompaction } from "../messages/compaction-rows.ts";
import { summarise, type SummaryDeps } from "#worker/conversation/turn/compaction-summary.ts";
import type { PathRow } from "#worker/conversation/turn/path.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import type { StoredCompaction } from "#worker/conversation/room/chat-copy.ts";

/** A path as it fits the model: the messages that go as they are, and what is said of those before them. */
export type FittedPath = { path: PathRow[]; earlier: string | null };

type Wanted = {
  path: PathRow[];
  replyId: string;
  request: TurnRequest;
  /** Characters that the prompt may have. */
  room: number;
  /** Characters of the prompt that these messages make, the system's own included. */
  lengthOf(path: PathRow[]): number;
  show(compaction: Compaction): void;
  /** Holds back what a call of this id may cost; false where that cannot be paid. */
  hold(callId: string, priced: Priced): Promise<boolean>;
  signal: AbortSignal;
};

/**
 * Fits a path into the room that its prompt has. The whole path where that is enough, else the summary that was made of the least
 * of it; where none is short enough a cheap model makes one, once. Without a summary the oldest messages are left out.
 */
export async function fitPath(storage: DurableObjectStorage, deps: SummaryDeps, wanted: Wanted): Promise<FittedPath> {
  const { path, request, room, lengthOf, show, hold, signal } = wanted;
  const question = path.at(-1);
  if (!question || lengthOf(path) <= room) return { path, earlier: null };

  const made = compactionsOnPath(
    storage.sql,
    path.map(({ id }) => id),
  );
  let base: (FittedPath & { stored: StoredCompaction }) | null = null;
  for (const [index, { id }] of path.entries()) {
    const stored = made.get(id);
    if (!stored || stored.summary === null) continue;
    base = { path: path.slice(index + 1), earlier: summaryText(stored.summary), stored };
    if (stored.questionId === question.id) show(toCompaction(stored));
    if (lengthOf(base.path) + stored.summary.length <= room) return base;
  }

  const rest = base?.path ?? path;
  const before = path.length - rest.length;
  // A cut moves seldom and far: each time it does, no provider has kept the prompt behind it.
  const recent = afterLastCut(rest, made, (after) => lengthOf(after) <= room) ?? latestWithin(rest, room / 2, lengthOf);
  const last = rest[rest.length - recent.length - 1];
  if (!last) return { path: rest, earlier: base?.earlier ?? null };
  const compaction = { status: "running", messages: before + rest.length - recent.length, summary: null } as const;
  show(compaction);
  const rows = rest.slice(0, rest.length - recent.length);
  const callId = `compaction:${crypto.randomUUID()}`;
  const { summary, modelId, cost, usage, cause } = await summarise(deps, {
    rows,
    earlier: base?.stored.summary ?? null,
    model: request.model,
    hold: (priced) => hold(callId, priced),
    signal,
  });
  if (summary === null) log.warn("no summary made", { cause });
  const ended: Compaction =
    summary === null ? { ...compaction, status: "failed", summary: null } : { ...compaction, status: "done", summary };
  storage.transactionSync(() => {
    if (!signal.aborted) storeCompaction(storage.sql, { ...ended, questionId: question.id, lastId: last.id });
    if (cost === null) return;
    noteCharge(storage.sql, {
      callId,
      payerId: request.reader.userId,
      replyId: wanted.replyId,
      what: "compaction",
      modelId,
      ...amountOf(cost),
      isHouse: request.reader.anonymous,
      tokens: tokensOf(usage),
    });
    if (cost.known) storage.sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", cost.micros ?? 0);
  });
  show(ended);
  if (summary !== null) return { path: recent, earlier: summaryText(summary) };
  return { path: recent, earlier: [base?.earlier, LEFT_OUT].filter(Boolean).join("\n\n") };
}

const LEFT_OUT =
  "Messages right before the first one below are left out, as this conversation is longer than can be read at once. Say so where they are needed.";

function summaryText(summary: string): string {
  return `The conversation is longer than can be read at once. This summary stands for its earlier messages:\n\n${summary}`;
}

/** What follows the last place where a path was cut without a summary; null where it was not, or that is too long by now. */
function afterLastCut(path: PathRow[], made: ReadonlyMap<string, StoredCompaction>, fits: (path: PathRow[]) => boolean): PathRow[] | null {
  const at = path.findLastIndex(({ id }) => made.get(id)?.summary === null);
  const after = path.slice(at + 1);
  return at !== -1 && after.length > 0 && fits(after) ? after : null;
}

/** The latest messages of so many characters at most, from a question on; the last message always. */
function latestWithin(path: PathRow[], room: number, lengthOf: (path: PathRow[]) => number): PathRow[] {
  const questions = path.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  let [fits, tooLong] = [questions.length, -1];
  while (fits - tooLong > 1) {
    const middle = (fits + tooLong) >> 1;
    if (lengthOf(path.slice(questions[middle])) <= room) fits = middle;
    else tooLong = middle;
  }
  return path.slice(questions[fits] ?? -1);
}
