import { type Bench, type Figure, quantile } from "./figure.ts";
import { errorsOf, startReaders } from "./load/readers.ts";
import type { TurnJob, TurnRun } from "./load/turn-client.ts";
import { makeChats, makeUsers } from "./seed.ts";

const LEVELS: { streams: number; target: number | null }[] = [
  { streams: 100, target: null },
  { streams: 300, target: 150 },
  { streams: 500, target: 600 },
];
const MOST = Math.max(...LEVELS.map(({ streams }) => streams));
const USERS = 50;
const RATE = 25;
/** One stream begins after the other, 50 a second: what a start takes is P4's, and 250 of them in a second would be what is measured here. */
const START_EVERY_MS = 20;
/** On each level chunks count from this long after its last stream was asked for. */
const SETTLING_MS = 500;
const MEASURED_MS = 3_000;
/** All streams end together, a moment after what is measured: an overloaded server works off what is behind it for no longer than it must. */
const END_MS = MOST * START_EVERY_MS + LEVELS.length * (SETTLING_MS + MEASURED_MS) + 500;

/** From the moment the simulator writes a chunk until its reader has it, checkpoints on; state in memory (docs/benchmark.md). A run climbs from level to level. */
export const bench: Bench = {
  id: "P5",
  title: "Lag of a piece of text, 25 pieces a second each",
  async measure({ serve, runs }) {
    const server = await serve();
    const users = await makeUsers(server, USERS);
    let chats = await makeChats(
      server,
      Array.from({ length: MOST }, (_, n) => users[n % USERS] ?? { id: "", cookie: "" }),
    );
    const readers = startReaders();
    const levels = LEVELS.map(({ streams, target }) => {
      const shared = { isTime: true, unit: "ms" as const };
      const p50: Figure = { ...shared, name: `${streams} streams, lag p50`, values: [], target: null, base: [] };
      const p99: Figure = { ...shared, name: `${streams} streams, lag p99`, values: [], target, base: [] };
      return { streams, p50, p99 };
    });
    const errors: Figure = { name: "streams that failed", unit: "errors", values: [], target: 0 };
    for (let run = 0; run < runs; run += 1) {
      const turns = await readers.run(
        chats.map(({ user, chatId, parentId }, n): TurnJob => {
          return { ...job(n), ask: { kind: "chat", origin: server.direct, cookie: user.cookie, chatId, parentId } };
        }),
      );
      chats = chats.map((chat, n) => ({ ...chat, parentId: turns[n]?.at(-1)?.lastId ?? chat.parentId }));
      for (const { streams, p50, p99 } of levels) {
        const lags = lagsOf(turns, streams);
        p50.values.push(quantile(lags, 0.5));
        p99.values.push(quantile(lags, 0.99));
      }
      errors.values.push(errorsOf(turns).length);
      if (errorsOf(turns).length > 0) errors.notes = [...new Set(errorsOf(turns))];
    }
    const direct = await readers.run(
      chats.map((_, n): TurnJob => ({ ...job(n), ask: { kind: "simulator", url: server.aggregator, messages: [] } })),
    );
    await readers.close();
    for (const { streams, p50, p99 } of levels) {
      const lags = lagsOf(direct, streams);
      p50.base = [quantile(lags, 0.5)];
      p99.base = [quantile(lags, 0.99)];
    }
    return [...levels.flatMap(({ p50, p99 }) => [p50, p99]), errors];
  },
};

/** The nth stream begins once the levels below it were measured. */
function job(n: number): { startAfterMs: number; turns: number; content: string } {
  const below = LEVELS.filter(({ streams }) => streams <= n).length;
  const startAfterMs = n * START_EVERY_MS + below * (SETTLING_MS + MEASURED_MS);
  const chunkCount = Math.ceil(((END_MS - startAfterMs) / 1000) * RATE);
  return { startAfterMs, turns: 1, content: `stamp ${chunkCount}\nspeed ${RATE}` };
}

/** Lags of the chunks that were written while that many streams ran. */
function lagsOf(turns: TurnRun[][], streams: number): number[] {
  const runs = turns.slice(0, streams).flat();
  const from = Math.max(...runs.map(({ startedAt }) => startedAt)) + SETTLING_MS;
  return runs.flatMap(({ stampedAt, lags }) =>
    lags.filter((_, n) => (stampedAt[n] ?? 0) >= from && (stampedAt[n] ?? 0) < from + MEASURED_MS),
  );
}
