/**
 * The aggregator's rows, kept 5 minutes. An isolate serves many requests and objects, and workerd lets them share values but not
 * each other's I/O, nor a promise of it: so the rows are held as a plain value, one of them at a time refreshes them (kept alive by
 * `waitUntil` when its caller leaves), and whoever else waits looks again by a timer of their own. A second copy in the Cache API
 * serves new isolates of the same place without asking the aggregator again, and outlives it when it is down.
 */
import { waitUntil } from "cloudflare:workers";
import { MODEL_LIST_CACHE_MS } from "#shared/limits.ts";
import { type AggregatorModel, fetchAggregatorModels } from "#worker/platform/clients/aggregator-models.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";

export type ModelList = { rows: AggregatorModel[]; at: number };
/** `refreshingSince` while somebody asks for a new list; `failure` is why nobody got one at `failedAt`. */
type Source = { list: ModelList | null; refreshingSince: number | null; failedAt: number; failure: unknown };

/** How long someone waits for a new list while an older one is at hand. */
const PATIENCE_MS = 2_000;
/** Longer than the client's own limit, so only a refresh whose request was cut ends by it. */
const REFRESH_LIMIT_MS = 12_000;
/** How often somebody else's refresh is looked at. */
const LOOK_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 10_000;
const EDGE_COPY_S = 24 * 60 * 60;

const sources = new Map<string, Source>();

/** The newest list to be had; `stale` when the aggregator did not answer and an older one stands in. Throws AGGREGATOR_UNAVAILABLE when there never was one. */
export async function loadModelList(env: Env): Promise<{ list: ModelList; stale: boolean }> {
  const { url } = configOf(env).aggregator;
  const source = sourceOf(url);
  const copy = source.list ?? (await readEdgeCopy(url));
  // Meanwhile a newer one may have come.
  source.list ??= copy;
  const { list } = source;
  if (list && Date.now() - list.at < MODEL_LIST_CACHE_MS) return { list, stale: false };
  if (list && Date.now() - source.failedAt < PAUSE_AFTER_FAILURE_MS) return { list, stale: true };
  const patience = list ? PATIENCE_MS : REFRESH_LIMIT_MS;
  const refreshed = await (isRefreshing(source) ? waitForOther(source, patience) : waitFor(refresh(env, source), patience));
  if (refreshed.ok) return { list: refreshed.list, stale: false };
  if (list) return { list, stale: true };
  throw new AppError("AGGREGATOR_UNAVAILABLE", { cause: refreshed.cause });
}

function sourceOf(url: string): Source {
  const known = sources.get(url);
  if (known) return known;
  const source: Source = { list: null, refreshingSince: null, failedAt: Number.NEGATIVE_INFINITY, failure: null };
  sources.set(url, source);
  return source;
}

function isRefreshing({ refreshingSince }: Source): boolean {
  return refreshingSince !== null && Date.now() - refreshingSince < REFRESH_LIMIT_MS;
}

function refresh(env: Env, source: Source): Promise<ModelList> {
  const list = fetchList(env, source);
  // Whoever waits sees the failure; nobody may be left when it comes.
  waitUntil(list.catch(() => undefined));
  return list;
}

async function fetchList(env: Env, source: Source): Promise<ModelList> {
  const startedAt = Date.now();
  source.refreshingSince = startedAt;
  try {
    const list = { rows: await fetchAggregatorModels(env), at: Date.now() };
    source.list = list;
    await writeEdgeCopy(configOf(env).aggregator.url, list);
    return list;
  } catch (cause) {
    source.failedAt = Date.now();
    source.failure = cause;
    throw cause;
  } finally {
    // One that was given up for lost is not the one that is under way.
    if (source.refreshingSince === startedAt) source.refreshingSince = null;
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

/** Waits for the list that another request or object has asked for, which may end without a word when it is cut. */
async function waitForOther(source: Source, limit: number): Promise<Waited> {
  const before = source.list;
  for (let waited = 0; waited < limit && source.list === before && isRefreshing(source); waited += LOOK_MS) {
    await scheduler.wait(LOOK_MS);
  }
  const { list } = source;
  return list && list !== before ? { ok: true, list } : { ok: false, cause: source.failure };
}

function edgeKey(url: string): string {
  return `https://model-list.invalid/?of=${encodeURIComponent(url)}`;
}

/** A cache that fails has no copy: the aggregator is asked instead. */
async function readEdgeCopy(url: string): Promise<ModelList | null> {
  try {
    const copy = await caches.default.match(edgeKey(url));
    // Written below by this same Worker, so its shape needs no second check.
    return copy ? await copy.json<ModelList>() : null;
  } catch (cause) {
    log.warn("the cache did not answer", { cause });
    return null;
  }
}

async function writeEdgeCopy(url: string, list: ModelList): Promise<void> {
  const headers = { "content-type": "application/json", "cache-control": `max-age=${EDGE_COPY_S}` };
  try {
    await caches.default.put(edgeKey(url), new Response(JSON.stringify(list), { headers }));
  } catch (cause) {
    log.warn("the cache took no copy", { cause });
  }
}
