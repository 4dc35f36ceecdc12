import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import { type Bench, quantile } from "./figure.ts";
import { errorsOf, startReaders } from "./load/readers.ts";
import type { TurnJob, TurnRun } from "./load/turn-client.ts";
import { addMessages, makeChats, makeUsers, type SeededChat } from "./seed.ts";

const STREAMS = 50;
const HISTORY = 100;
const TURNS = 3;
/** Each answer lasts about three seconds, so 50 streams are open at any time and 17 begin in a second. */
const CONTENT = "stamp 75\nspeed 25";
const SPREAD_MS = 3_000;
const historyText = (n: number) => markdownOfLength(n % 2 === 0 ? 120 : 600);

/** How much later than the simulator's own the first text reaches a reader, the sending included; state in memory (docs/benchmark.md). */
export const bench: Bench = {
  id: "P4",
  title: "Time to the first token, 50 streams, history of 100 messages",
  async measure({ serve, runs }) {
    const server = await serve();
    let chats = await makeChats(server, await makeUsers(server, STREAMS));
    await server.whileStopped((persistTo) => {
      chats = addMessages(persistTo, chats, { count: HISTORY, textOf: historyText });
    });
    const readers = startReaders();
    const history = Array.from({ length: HISTORY }, (_, n) => ({ role: n % 2 === 0 ? "user" : "assistant", content: historyText(n) }));
    const through = (origin: string) =>
      readers.run(
        chats.map(({ user, chatId, parentId }, n): TurnJob => {
          return { ...job(n), ask: { kind: "chat", origin, cookie: user.cookie, chatId, parentId } };
        }),
      );
    const job = (index: number) => ({ startAfterMs: (index * SPREAD_MS) / STREAMS, turns: TURNS, content: CONTENT });
    const ours: number[][] = [];
    const alone: number[][] = [];
    const accepted: number[] = [];
    const errors: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const direct = await readers.run(
        chats.map((_, n): TurnJob => ({ ...job(n), ask: { kind: "simulator", url: server.aggregator, messages: history } })),
      );
      const turns = await through(server.direct);
      chats = advanceChats(chats, turns);
      ours.push(first(turns));
      alone.push(first(direct));
      accepted.push(
        quantile(
          turns.flatMap((list) => list.slice(1).map(({ acceptedMs }) => acceptedMs)),
          0.5,
        ),
      );
      errors.push(errorsOf(turns).length + errorsOf(direct).length);
    }
    const byEntry = first(await through(server.origin));
    await readers.close();
    const added = (share: number) => ours.map((times, run) => quantile(times, share) - quantile(alone[run] ?? [], share));
    const figure = (share: number, target: number) => ({
      name: `added to the first token, p${share * 100}`,
      unit: "ms" as const,
      values: added(share),
      target,
      isTime: true,
      base: alone.map((times) => quantile(times, share)),
    });
    return [
      figure(0.5, 8),
      figure(0.95, 20),
      figure(0.99, 40),
      { name: "of it until the turn is accepted, p50", unit: "ms", values: accepted, target: null, isTime: true },
      {
        name: "through the local platform's entry, p50, once",
        unit: "ms",
        values: [quantile(byEntry, 0.5) - quantile(alone.at(-1) ?? [], 0.5)],
        target: null,
        isTime: true,
      },
      { name: "turns that failed", unit: "errors", values: errors, target: 0 },
    ];
  },
};

/** The first turn of each reader finds cold objects and connections. */
function first(turns: TurnRun[][]): number[] {
  return turns.flatMap((list) => list.slice(1).map(({ firstTextMs }) => firstTextMs));
}

function advanceChats(chats: SeededChat[], turns: TurnRun[][]): SeededChat[] {
  return chats.map((chat, n) => ({ ...chat, parentId: turns[n]?.at(-1)?.lastId ?? chat.parentId }));
}
