import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import { splitIntoTokens } from "#test/simulators/aggregator/tokens.ts";
import type { Bench, Figure } from "./figure.ts";
import { errorsOf, startReaders } from "./load/readers.ts";
import type { TurnJob } from "./load/turn-client.ts";
import { makeChats, makeUsers } from "./seed.ts";

const KB = 1024;
/** 0 is as fast as it goes. A size is left out where its answer would take minutes. */
const CASES: { charactersPerSecond: number; sizes: number[] }[] = [
  { charactersPerSecond: 1_000, sizes: [8, 32] },
  { charactersPerSecond: 4_000, sizes: [8, 32, 128] },
  { charactersPerSecond: 0, sizes: [8, 32, 128] },
];
/** What the largest answer may cost per character more than the smallest. */
const LINEAR = 1.1;

/** Bytes on the wire for each byte of text; all answers stream at once, as their speed does not matter here. */
export const bench: Bench = {
  id: "P6",
  title: "Bytes on the wire for each byte of text",
  async measure({ serve, runs }) {
    const server = await serve();
    const cases = CASES.flatMap(({ charactersPerSecond, sizes }) => sizes.map((size) => ({ charactersPerSecond, size })));
    const all = Array.from({ length: runs }, () => cases).flat();
    const chats = await makeChats(server, (await makeUsers(server, all.length)).slice(0, all.length));
    const readers = startReaders();
    const turns = await readers.run(
      chats.map(({ user, chatId, parentId }, n): TurnJob => {
        const { size, charactersPerSecond } = all[n] ?? { size: 8, charactersPerSecond: 0 };
        return {
          startAfterMs: n * 10,
          turns: 1,
          content: promptFor(size * KB, charactersPerSecond),
          ask: { kind: "chat", origin: server.origin, cookie: user.cookie, chatId, parentId },
        };
      }),
    );
    await readers.close();
    const failed = errorsOf(turns);
    if (failed.length > 0) throw new Error(failed[0]);
    const ratios = (size: number, speed: number) =>
      turns.flatMap(([run], n) =>
        run && all[n]?.size === size && all[n]?.charactersPerSecond === speed ? [run.wireBytes / run.textLength] : [],
      );
    const figures = cases.map(({ size, charactersPerSecond }): Figure => {
      const target = charactersPerSecond === 1_000 ? 1.5 : null;
      const speed = charactersPerSecond === 0 ? "at once" : `at ${charactersPerSecond} characters/s`;
      return { name: `${size} KB ${speed}, wire / text`, unit: "x", values: ratios(size, charactersPerSecond), target };
    });
    return [...figures, ...CASES.map(({ charactersPerSecond, sizes }) => growth(charactersPerSecond, sizes, ratios))];
  },
};

/** A prompt for so many characters of markdown; the simulator counts its speed in tokens. */
export function promptFor(length: number, charactersPerSecond: number): string {
  const tokens = splitIntoTokens(markdownOfLength(length)).length;
  return `bytes ${length}\nspeed ${Math.round((charactersPerSecond * tokens) / length)}`;
}

function growth(speed: number, sizes: number[], ratios: (size: number, speed: number) => number[]): Figure {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const small = ratios(least, speed);
  return {
    name: `${speed === 0 ? "at once" : `at ${speed} characters/s`}, ${most} KB against ${least} KB, each byte (linear: 1)`,
    unit: "x",
    values: ratios(most, speed).map((ratio, run) => ratio / (small[run] ?? Number.NaN)),
    target: LINEAR,
  };
}
