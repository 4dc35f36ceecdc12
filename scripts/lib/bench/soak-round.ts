import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { Message } from "#shared/entities/message.ts";
import { CHEAP_MODEL } from "#test/bench/load/cheap-model.ts";
import { createReplyReader, type ReplyReader } from "#test/bench/load/reply-reader.ts";
import { readAll, send } from "#test/bench/load/turn-client.ts";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import type { BenchUser } from "./bench-server.ts";
import type { SoakServer } from "./soak-server.ts";

/** Replies under way at each kill. */
const REPLIES = 4;
/** About 1,000 characters a second, so a whole answer takes four seconds. */
const LENGTH = 4_000;
const CONTENT = `bytes ${LENGTH}\nspeed 215`;
/** The server is killed at a random moment up to this long after the messages were sent, in milliseconds. */
const KILLED_WITHIN_MS = 3_500;
/** A checkpoint comes this long after the text it holds at the latest; the writing itself may take a little more. */
const CHECKPOINT_MS = 2_000;
const WRITING_MS = 300;
const PATIENCE_MS = 30_000;

const Page = z.object({ messages: z.array(Message) });

/** What one kill did to one reply. */
export type Fate = {
  killedAfterMs: number;
  wasAccepted: boolean;
  isUserMessageThere: boolean;
  /** Characters the reader had, the older part of them that a checkpoint had to hold, and what was kept. */
  seen: number;
  due: number;
  kept: number;
  isKeptTextRight: boolean;
  /** How the reply stood at the first look after the restart. */
  state: string;
  /** From the server's restart until that state was reported. */
  visibleMs: number;
  /** How it stood at last. */
  ended: string;
  isEndRight: boolean;
};

type Sent = { user: BenchUser; chatId: string; id: string; sentAt: number; replyId: string | null; reader: ReplyReader | null };

/** Sends messages, kills the server while it answers, starts it again and looks. Answers milliseconds of the restart too. */
export async function killOnce(server: SoakServer, users: BenchUser[]): Promise<{ restartMs: number; fates: Fate[] }> {
  const sent = users.slice(0, REPLIES).map((user): Sent => {
    return { user, chatId: randomUUID(), id: randomUUID(), sentAt: performance.now(), replyId: null, reader: null };
  });
  const readers = sent.map((turn) => sendAndRead(server.origin, turn).catch(() => undefined));
  await wait(Math.random() * KILLED_WITHIN_MS);
  await server.kill();
  const killedAt = performance.now();
  await Promise.all(readers);
  const restarting = performance.now();
  await server.start();
  const restartedAt = performance.now();
  const fates = await Promise.all(sent.map((turn) => lookAt(server.origin, turn, { killedAt, restartedAt })));
  return { restartMs: restartedAt - restarting, fates };
}

async function sendAndRead(origin: string, turn: Sent): Promise<void> {
  const { user, chatId, id } = turn;
  const agent = new Agent();
  const body = JSON.stringify({ id, parent_id: null, content: CONTENT, model_id: CHEAP_MODEL });
  const response = await send(`${origin}/api/chat/${chatId}/messages`, { agent, headers: { cookie: user.cookie, origin }, body });
  const answer = await readAll(response);
  if (response.statusCode !== 202) throw new Error(`Sending answered ${response.statusCode}: ${answer.slice(0, 200)}`);
  turn.replyId = /"replyId":"([^"]+)"/.exec(answer)?.[1] ?? null;
  if (turn.replyId === null) return;
  turn.reader = createReplyReader({ origin, cookie: user.cookie, chatId, replyId: turn.replyId });
  await turn.reader.follow();
}

type Moments = { killedAt: number; restartedAt: number };

async function lookAt(origin: string, turn: Sent, { killedAt, restartedAt }: Moments): Promise<Fate> {
  const { user, chatId, id, sentAt, replyId, reader } = turn;
  const wasAccepted = replyId !== null;
  const dueAt = killedAt - CHECKPOINT_MS - WRITING_MS;
  const due = Math.max(0, ...(reader?.lengths ?? []).filter(({ at }) => at < dueAt).map(({ length }) => length));
  const seen = reader?.text().length ?? 0;
  const whole = markdownOfLength(LENGTH);
  const first = await readMessages(origin, user, chatId);
  const visibleMs = performance.now() - restartedAt;
  const question = first.find((message) => message.id === id);
  const reply = first.find((message) => message.role === "assistant");
  const text = reply?.content ?? "";
  if (wasAccepted) {
    // The reader comes back where it was and follows to the end.
    await reader?.follow().catch(() => undefined);
  }
  const last = await untilSettled(origin, turn);
  return {
    killedAfterMs: killedAt - sentAt,
    wasAccepted,
    isUserMessageThere: question?.content === CONTENT,
    seen,
    due,
    kept: text.length,
    isKeptTextRight: whole.startsWith(text),
    state: reply?.status ?? "nothing",
    visibleMs,
    ended: last?.status ?? "nothing",
    isEndRight:
      !wasAccepted ||
      (last !== null &&
        whole.startsWith(last.content) &&
        (last.status !== "done" || last.content === whole) &&
        reader?.text() === last.content),
  };
}

async function untilSettled(origin: string, { user, chatId }: Sent): Promise<Message | null> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const reply = (await readMessages(origin, user, chatId)).find((message) => message.role === "assistant") ?? null;
    if (reply === null || !["accepted", "streaming", "waiting"].includes(reply.status) || performance.now() > end) return reply;
    await wait(100);
  }
}

async function readMessages(origin: string, user: BenchUser, chatId: string): Promise<Message[]> {
  const response = await fetch(`${origin}/api/chat/${chatId}/messages`, { headers: { cookie: user.cookie } });
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`Reading the messages answered ${response.status}.`);
  return Page.parse(await response.json()).messages;
}
