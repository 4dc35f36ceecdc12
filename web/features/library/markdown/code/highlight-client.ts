import { ownScript } from "#web/lib/trusted-types.ts";
// oxlint-disable-next-line import/default -- the build makes an address of it
import workerScript from "./highlight.worker.ts?worker&url";
import { languageOf } from "./language-names.ts";
import type { Tokens } from "./highlight-tokens.ts";

/** Longer code, in UTF-16 units, keeps its plain colour: nobody reads it by hue. */
const longestCode = 300_000;

/** Milliseconds after which a worker counts as stuck in a language's expression; its other work starts again in a new one. */
const patience = 10_000;

const cacheSize = 200;
const cache = new Map<string, Tokens>();
const waiting = new Map<
  number,
  { request: { id: number; code: string; language: string }; resolve: (tokens: Tokens | undefined) => void }
>();
let worker: Worker | undefined;
let watchdog: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

function keyOf(code: string, language: string) {
  return `${language}\n${code}`;
}

/** The tokens of a code that was coloured before; `name` is the language as its fence says it. */
export function knownTokens(code: string, name: string): Tokens | undefined {
  const language = languageOf(name);
  return language === undefined ? undefined : cache.get(keyOf(code, language));
}

/** Colours code in a worker; resolves with undefined where that is not possible, as in a language that is not known. */
export async function highlight(code: string, name: string): Promise<Tokens | undefined> {
  const language = languageOf(name);
  if (!language || code.length > longestCode || typeof Worker === "undefined") return undefined;
  const tokens = await new Promise<Tokens | undefined>((resolve) => {
    lastId += 1;
    const request = { id: lastId, code, language };
    waiting.set(request.id, { request, resolve });
    startWorker().postMessage(request, { transfer: [] });
    watch();
  });
  if (tokens) remember(keyOf(code, language), tokens);
  return tokens;
}

function startWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(ownScript(workerScript), { type: "module", name: "highlight" });
  worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; tokens: Tokens }>) => settle(data.id, data.tokens));
  worker.addEventListener("error", dropFirst);
  return worker;
}

function settle(id: number, tokens: Tokens | undefined) {
  waiting.get(id)?.resolve(tokens);
  waiting.delete(id);
  clearTimeout(watchdog);
  watchdog = undefined;
  if (waiting.size > 0) watch();
}

function watch() {
  watchdog ??= setTimeout(dropFirst, patience);
}

/** Gives up on the oldest request and starts the others again in a new worker. */
function dropFirst() {
  worker?.terminate();
  worker = undefined;
  const [first] = waiting.keys();
  if (first !== undefined) settle(first, undefined);
  if (waiting.size === 0) return;
  const fresh = startWorker();
  for (const { request } of waiting.values()) fresh.postMessage(request, { transfer: [] });
}

function remember(key: string, tokens: Tokens) {
  cache.set(key, tokens);
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
}
