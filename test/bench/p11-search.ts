import { Agent } from "node:http";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { addListedChats, makeChats, makeUsers } from "./seed.ts";
import { addSearchTexts, makeRandom, makeVocabulary, pickWord } from "./seed-search.ts";

const MESSAGES = 200_000;
const CHATS = 2_000;
const REQUESTS = 200;
const PREFIX_LENGTHS = [3, 4, 5, 6];

/** A search over 200,000 messages of 2,000 chats: words as often used as in a language, phrases that occur, beginnings of words. */
export const bench: Bench = {
  id: "P11",
  title: "Search over 200,000 messages",
  async measure({ serve, runs }) {
    const server = await serve();
    const [chat] = await makeChats(server, await makeUsers(server, 1));
    if (!chat) throw new Error("No chat was made.");
    const { user, chatId } = chat;
    const agent = new Agent({ keepAlive: true });
    const ask = (q: string) =>
      timed(`${server.origin}/api/search?kind=message&q=${encodeURIComponent(q)}`, { agent, headers: { cookie: user.cookie } });
    // The first search makes the index that is filled then.
    await ask("first");
    const random = makeRandom(1);
    const words = makeVocabulary(random);
    let pairs: string[] = [];
    await server.whileStopped((persistTo) => {
      addListedChats(persistTo, { chatId, count: CHATS });
      pairs = addSearchTexts(persistTo, { chatId, count: MESSAGES, words });
    });
    const cases = [
      { name: "word", target: 10, make: () => `"${pickWord(words, random)}"` },
      { name: "phrase", target: null, make: () => `"${pairs[Math.floor(random() * pairs.length)]}"` },
      { name: "prefix", target: 50, make: () => prefixOf(pickWord(words, random), random) },
    ];
    const figures: Figure[] = [];
    for (const { name, target, make } of cases) {
      const figure = (share: string, limit: number | null): Figure => ({
        name: `a ${name}, ${share}`,
        unit: "ms",
        values: [],
        target: limit,
        isTime: true,
      });
      const [p50, p95, p99] = [figure("p50", null), figure("p95", target), figure("p99", null)];
      for (let run = 0; run < runs; run += 1) {
        const times: number[] = [];
        for (let n = 0; n < REQUESTS; n += 1) times.push(await ask(make()));
        p50.values.push(quantile(times, 0.5));
        p95.values.push(quantile(times, 0.95));
        p99.values.push(quantile(times, 0.99));
      }
      figures.push(p50, p95, p99);
    }
    agent.destroy();
    return figures;
  },
};

function prefixOf(word: string, random: () => number): string {
  return word.slice(0, PREFIX_LENGTHS[Math.floor(random() * PREFIX_LENGTHS.length)]);
}

/** Milliseconds for one search. */
async function timed(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number> {
  const start = performance.now();
  const response = await send(url, options);
  const body = await readAll(response);
  if (response.statusCode !== 200) throw new Error(`The search answered ${response.statusCode}: ${body.slice(0, 200)}`);
  return performance.now() - start;
}
