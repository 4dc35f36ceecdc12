/** The application as it starts without a network: its one document and the files with hashed names that it needs. */
import { fileFromNetwork, fromNetwork } from "./network.ts";
import { documentOf } from "./patience.ts";
import { kindOf } from "./requests.ts";
import { scope } from "./scope.ts";

/** Written in by the build (scripts/lib/build/service-worker.ts): what the first screens need, and a name that changes with any of it. Nothing while developing. */
declare const SHELL: { name: string; entry: string; files: string[] };
const { name, entry, files } = SHELL;

const PREFIX = "shell-";
const CACHE = PREFIX + name;
/** The document is the same for every page and every reader. */
const DOCUMENT = "/";
/** Requests for the shell's files at a time: the page's own must not wait behind them. */
const AT_ONCE = 4;

/** Keeps the document and its files together; without one of them nothing is installed, and the next visit tries again. */
export async function keepShell(): Promise<void> {
  if (files.length === 0) return;
  const cache = await caches.open(CACHE);
  await keepFiles(cache, files);
  const document = await fromNetwork(DOCUMENT, { isFresh: true });
  const html = await document?.clone().text();
  // A build that came in between has a service worker of its own.
  if (!document?.ok || !html?.includes(entry)) throw new Error("The document is of another build.");
  await cache.put(DOCUMENT, document);
}

/** Keeps the files that a page says it has loaded, which the browser's own cache still has. */
export async function keepLoaded(message: unknown): Promise<void> {
  const loaded = readFiles(message).filter((url) => kindOf({ url, method: "GET", mode: "cors" }, scope.location.origin) === "asset");
  if (files.length === 0 || loaded.length === 0) return;
  // A full disk, or a network that is gone: they are kept when they are asked for again.
  await keepFiles(await caches.open(CACHE), loaded).catch(() => undefined);
}

function readFiles(message: unknown): string[] {
  if (typeof message !== "object" || message === null || !("type" in message) || message.type !== "keep") return [];
  const list = "files" in message ? message.files : null;
  return Array.isArray(list) ? list.filter((url) => typeof url === "string" && URL.canParse(url)) : [];
}

async function keepFiles(cache: Cache, wanted: readonly string[]): Promise<void> {
  const missing = [...wanted];
  const keepNext = async () => {
    for (let file = missing.shift(); file !== undefined; file = missing.shift()) {
      if (!(await cache.match(file))) await cache.add(file);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepNext));
}

/** Deletes what earlier builds kept: this one is active once none of their pages is open. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((other) => other.startsWith(PREFIX) && other !== CACHE).map((other) => caches.delete(other)));
}

/** The answer to a request for a page of the application or one of its files; null for every other. */
export function answerByShell(event: FetchEvent): Promise<Response> | null {
  if (files.length === 0) return null;
  const kind = kindOf(event.request, scope.location.origin);
  if (kind === "document") return answerPage(event);
  return kind === "asset" ? answerFile(event) : null;
}

async function answerPage({ request }: FetchEvent): Promise<Response> {
  const network = fromNetwork(request);
  const cached = await caches.match(DOCUMENT, { cacheName: CACHE });
  return (await documentOf(network, cached)) ?? Response.error();
}

/** The kept file; one that was not needed before is kept from now on, as pages need it again. */
async function answerFile(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cached = await caches.match(request.url, { cacheName: CACHE, ignoreVary: true });
  if (cached) return cached;
  const answer = await fileFromNetwork(request);
  if (answer?.ok && answer.type === "basic") {
    const copy = answer.clone();
    // A full disk keeps no more; the page has its file all the same.
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => cache.put(request.url, copy))
        .catch(() => undefined),
    );
  }
  return answer ?? Response.error();
}
