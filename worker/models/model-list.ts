/**
 * The aggregator's rows, kept 5 minutes. An isolate serves many requests, and workerd lets them share values but not each
 * other's I/O: so the rows are held as a plain value, one request at a time refreshes them (kept alive by `waitUntil` when
 * its caller leaves), and those waiting for it do so under a timer of their own. A second copy in the Cache API serves new
 * isolates of the same place without asking the aggregator again, and outlives it when it is down.
 */
import { waitUntil } from "cloudflare:workers";
import { MODEL_LIST_CACHE_MS } from "#shared/limits.ts";
import { type AggregatorModel, fetchAggregatorModels } from "../clients/aggregator-models.ts";
import { configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";

export type ModelList = { rows: AggregatorModel[]; at: number };
type Refresh = { list: Promise<ModelList>; startedAt: number };
type Source = { list: ModelList | null; refresh: Refresh | null; failedAt: number };

/** How long someone waits for a new list while an older one is at hand. */
const PATIENCE_MS = 2_000;
/** Longer than the client's own limit, so only a refresh whose request was cut ends by it. */
const REFRESH_LIMIT_MS = 12_000;
const PAUSE_AFTER_FAILURE_MS = 10_000;
const EDGE_COPY_S = 24 * 60 * 60;

const sources = new Map<string, Source>();

/** The newest list to be had; `stale` when the aggregator did not answer and an older one stands in. Throws AGGREGATOR_UNAVAILABLE when there never was one. */
export async function loadModelList(env: Env): Promise<{ list: ModelList; stale: boolean }> {
  const { url } = configOf(env).aggregator;
  const source = sourceOf(url);
  source.list ??= await readEdgeCopy(url);
  const { list } = source;
  if (list && Date.now() - list.at < MODEL_LIST_CACHE_MS) return { list, stale: false };
  if (list && Date.now() - source.failedAt < PAUSE_AFTER_FAILURE_MS) return { list, stale: true };
  const refreshed = await waitFor(refresh(env, source), list ? PATIENCE_MS : REFRESH_LIMIT_MS);
  if (refreshed.ok) return { list: refreshed.list, stale: false };
  if (list) return { list, stale: true };
  throw new AppError("AGGREGATOR_UNAVAILABLE", { cause: refreshed.cause });
}

function sourceOf(url: string): Source {
  const known = sources.get(url);
  if (known) return known;
  const source: Source = { list: null, refresh: null, failedAt: Number.NEGATIVE_INFINITY };
  sources.set(url, source);
  return source;
}

function refresh(env: Env, source: Source): Promise<ModelList> {
  const running = source.refresh;
  if (running && Date.now() - running.startedAt < REFRESH_LIMIT_MS) return running.list;
  const list = fetchList(env, source);
  source.refresh = { list, startedAt: Date.now() };
  // Whoever waits sees the failure; nobody may be left when it comes.
  waitUntil(list.catch(() => undefined));
  return list;
}

async function fetchList(env: Env, source: Source): Promise<ModelList> {
  try {
    const list = { rows: await fetchAggregatorModels(env), at: Date.now() };
    source.list = list;
    await writeEdgeCopy(configOf(env).aggregator.url, list);
    return list;
  } catch (cause) {
    source.failedAt = Date.now();
    throw cause;
  } finally {
    source.refresh = null;
  }
}

type Waited = { ok: true; list: ModelList } | { ok: false; cause: unknown };

async function waitFor(list: Promise<ModelList>, limit: number): Promise<Waited> {
  const settled = new AbortController();
  const timeout = scheduler.wait(limit, { signal: settled.signal }).then(
    (): Waited => ({ ok: false, cause: new Error("The model list took too long") }),
    (cause: unknown): Waited => ({ ok: false, cause }),
  );
  const arrival = list.then(
    (value): Waited => ({ ok: true, list: value }),
    (cause: unknown): Waited => ({ ok: false, cause }),
  );
  const waited = await Promise.race([arrival, timeout]);
  settled.abort();
  return waited;
}

function edgeKey(url: string): string {
  return `https://model-list.invalid/?of=${encodeURIComponent(url)}`;
}

async function readEdgeCopy(url: string): Promise<ModelList | null> {
  const copy = await caches.default.match(edgeKey(url));
  // Written below by this same Worker, so its shape needs no second check.
  return copy ? copy.json<ModelList>() : null;
}

async function writeEdgeCopy(url: string, list: ModelList): Promise<void> {
  const headers = { "content-type": "application/json", "cache-control": `max-age=${EDGE_COPY_S}` };
  await caches.default.put(edgeKey(url), new Response(JSON.stringify(list), { headers }));
}
