import type { ReplyPosition } from "#shared/reply-events.ts";
import { CHARACTERS_PER_TOKEN, computeCostMicros } from "../credits/money.ts";
import { log } from "../http/log.ts";
import { type MessageRow, settledEvent } from "./message-row.ts";
import { findMessage, type LiveContent, pathTo } from "./messages.ts";
import type { Outbox, Target } from "./outbox.ts";
import { readCheckpoints } from "./checkpoints.ts";
import { frame, type Positioned, replayAfter, replayMessage, contentOf } from "./reply-log.ts";
import { type LiveReply, openReply } from "./reply-stream.ts";
import { storedTurn, type StoredTurn } from "./stored-turn.ts";
import { runTurn, type TurnDeps, type TurnResult } from "./turn.ts";
import { INTERNAL_FAILURE } from "./turn-errors.ts";
import { buildPrompt } from "./turn-prompt.ts";
import { storeRestart, storeSettlement } from "./turn-store.ts";

/** A turn whose object died before anything was shown begins again at most this often. */
const RESTARTS = 2;

type Running = { turn: StoredTurn; live: LiveReply; abort: AbortController; ended: Promise<void> };

type Deps = {
  storage: DurableObjectStorage;
  outbox: Outbox;
  turnDeps: TurnDeps;
  /** Who learns of the chat's changes. */
  readers: () => Target[];
  waitUntil(work: Promise<unknown>): void;
  /** Called after a turn has settled, outside its transaction. */
  onSettled(turn: StoredTurn): Promise<void>;
};

export type Who = { sessionId: string; userId: string };

/** Runs turns: one at a time, detached from the request that began them. */
export type TurnRunner = {
  start(turn: StoredTurn): void;
  /** Stops the running turn and resolves when its text is stored; false when none runs. */
  stop(): Promise<boolean>;
  /** Takes up what an earlier life of this object left unsettled. */
  recover(): void;
  live: LiveContent;
  /** The reply's event stream, or null for a message that is none. */
  follow(replyId: string, reader: Who, from: ReplyPosition | null): ReadableStream<Uint8Array> | null;
  cut(matches: (reader: Who) => boolean): void;
};

/** The runner of one room. */
export function createTurnRunner(deps: Deps): TurnRunner {
  const { storage, outbox } = deps;
  const { sql } = storage;
  let running: Running | null = null;
  /** Kept for readers that reconnect right after the end; the stored message serves all later ones. */
  let last: { replyId: string; live: LiveReply } | null = null;

  function start(turn: StoredTurn, base: Positioned[] = baseOf(turn)): void {
    const live = openReply(storage, { replyId: turn.replyId, generation: turn.generation, base });
    if (turn.generation > 0) {
      const { text, reasoning } = contentOf(base);
      live.publish({ type: "replace", text: text.length, reasoning: reasoning.length });
    }
    const abort = new AbortController();
    const ended = run(turn, live, abort.signal);
    running = { turn, live, abort, ended };
    deps.waitUntil(ended.then(() => outbox.deliver()).then(() => deps.onSettled(turn)));
  }

  /** What a reply that goes on begins with. */
  function baseOf(turn: StoredTurn): Positioned[] {
    const message = findMessage(sql, turn.replyId);
    return message && message.content !== "" ? replayMessage({ ...message, generation: turn.generation - 1 }, null) : [];
  }

  async function run(turn: StoredTurn, live: LiveReply, signal: AbortSignal): Promise<void> {
    const { request, replyId } = turn;
    const path = pathTo(sql, replyId, Number.MAX_SAFE_INTEGER);
    const goOn = request.kind === "continue" && live.content().text !== "";
    const prompt = buildPrompt(path, { modelId: request.model.requestedId, goOn });
    const events = runTurn(deps.turnDeps, { chatId: request.chatId, model: request.model, prompt, signal });
    try {
      let next = await events.next();
      for (; !next.done; next = await events.next()) live.publish(next.value);
      settle(turn, live, next.value);
    } catch (cause) {
      log.error("turn failed", { cause });
      settle(turn, live, { ...ENDED_EARLY, status: "failed", error: INTERNAL_FAILURE });
    }
  }

  function settle(turn: StoredTurn, live: LiveReply, result: TurnResult): void {
    const content = live.content();
    live.settle((lastSeq) => {
      const changes = storeSettlement(sql, { turn, content, result, lastSeq });
      outbox.mark(deps.readers(), { news: [{ type: "reply.ended", replyId: turn.replyId }], changes });
      return settledEvent(sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", turn.replyId).one());
    });
    running = null;
    last = { replyId: turn.replyId, live };
  }

  function recover(): void {
    const turn = storedTurn(sql);
    if (!turn) return;
    const { replyId } = turn;
    const base = baseOf(turn);
    const events = [...base, ...readCheckpoints(sql, replyId)];
    const { text, reasoning } = contentOf(events);
    const before = contentOf(base);
    const wasShown = text.length > before.text.length || reasoning.length > before.reasoning.length;
    if (!wasShown && turn.attempts <= RESTARTS) return start(storeRestart(sql, turn), events);
    const generation = turn.generation + 1;
    const live = openReply(storage, { replyId, generation, base: events });
    live.publish({ type: "replace", text: text.length, reasoning: reasoning.length });
    settle({ ...turn, generation }, live, endedEarly(turn, text));
    deps.waitUntil(outbox.deliver());
  }

  return {
    start,
    recover,
    async stop() {
      if (!running) return false;
      running.abort.abort();
      await running.ended;
      return true;
    },
    live(replyId) {
      return running?.turn.replyId === replyId ? running.live.content() : null;
    },
    follow(replyId, reader, from) {
      if (running?.turn.replyId === replyId) return running.live.follow(reader, from);
      if (last?.replyId === replyId) return last.live.follow(reader, from);
      const message = findMessage(sql, replyId);
      return message?.role === "assistant" ? replayStored(message, from) : null;
    },
    cut(matches) {
      running?.live.cut(matches);
    },
  };
}

/** How a turn ends that had no chance to end by itself. */
const ENDED_EARLY: TurnResult = {
  status: "interrupted",
  modelId: null,
  finishReason: null,
  reasoningMs: null,
  reasoningDetails: [],
  citations: [],
  usage: null,
  cost: { known: true, micros: 0 },
  error: null,
};

/** What an interrupted turn is taken to have cost: its text alone, as nobody is left who could look up more. */
function endedEarly({ request: { model } }: StoredTurn, text: string): TurnResult {
  const tokens = { prompt: 0, completion: text.length / CHARACTERS_PER_TOKEN };
  const estimateMicros = computeCostMicros(tokens, { prompt: model.promptPrice, completion: model.completionPrice }) ?? 0;
  return { ...ENDED_EARLY, cost: { known: false, estimateMicros, generationId: null } };
}

function replayStored(message: MessageRow, from: ReplyPosition | null): ReadableStream<Uint8Array> {
  const text = replayAfter(replayMessage(message, settledEvent(message)), from)
    .map(frame)
    .join("");
  return new Blob([text === "" ? ": \n\n" : text]).stream();
}
