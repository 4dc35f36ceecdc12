/** Exa's crawl and search (reference: `POST /contents`, `POST /search`). */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { postSearch, unreadable } from "./search-request.ts";

export type ReadPage = { url: string; title: string | null; published: string | null; text: string };
export type FailedPage = { url: string; reason: string };
/** What was read and what could not be; `dollars` is what the call cost, null where it isn't known. */
export type ReadPages = { pages: ReadPage[]; failed: FailedPage[]; dollars: number | null };

/** An image as found: none of its addresses was asked for yet. */
export type FoundImage = { url: string; pageUrl: string; title: string | null };

const Result = z.object({
  id: z.nullish(z.string()),
  url: z.string(),
  title: z.nullish(z.string()),
  publishedDate: z.nullish(z.string()),
  text: z.nullish(z.string()),
  image: z.nullish(z.string()),
  extras: z.nullish(z.object({ imageLinks: z.nullish(z.array(z.string())) })),
});
type Result = z.infer<typeof Result>;

const Status = z.object({
  id: z.string(),
  status: z.string(),
  error: z.nullish(z.object({ tag: z.nullish(z.string()), httpStatusCode: z.nullish(z.number()) })),
});
type Status = z.infer<typeof Status>;

const Answer = z.object({
  results: z.array(Result),
  statuses: z.nullish(z.array(Status)),
  costDollars: z.nullish(z.object({ total: z.nullish(z.number()) })),
});

/** Reads pages, each cut to `maxCharacters`. A page that cannot be read is reported as failed: the service answers 200 for it too. Throws `SearchError`. */
export async function readPages(
  env: Env,
  { urls, maxCharacters }: { urls: string[]; maxCharacters: number },
  signal: AbortSignal,
): Promise<ReadPages> {
  const { results, statuses, costDollars } = await ask(env, "/contents", { urls, text: { maxCharacters } }, signal);
  const pages = results.filter(({ text }) => text?.trim()).map(toPage);
  const refused = (statuses ?? [])
    .filter(({ status }) => status === "error")
    .map((status) => ({ url: status.id, reason: reasonOf(status) }));
  const empty = results.filter(({ text }) => !text?.trim()).map(({ url }) => ({ url, reason: "The page has no readable text." }));
  const isListed = (url: string) => refused.some((page) => page.url === url) || results.some((page) => page.url === url || page.id === url);
  // A page may come back under another address; only where fewer came than were asked for is one missing.
  const missing = results.length + refused.length < urls.length ? urls.filter((url) => !isListed(url)) : [];
  const failed = [...refused, ...empty, ...missing.map((url) => ({ url, reason: UNREADABLE_PAGE }))];
  return { pages, failed, dollars: costDollars?.total ?? null };
}

/** Finds images by the pages they stand on, as the service has no image search: each page's own picture, then those it links. Throws `SearchError`. */
export async function findImages(
  env: Env,
  { query, pages }: { query: string; pages: number },
  signal: AbortSignal,
): Promise<{ images: FoundImage[]; dollars: number | null }> {
  const body = { query, numResults: pages, contents: { extras: { imageLinks: 3 } } };
  const { results, costDollars } = await ask(env, "/search", body, signal);
  const images = results.flatMap(({ url, title, image, extras }) =>
    [image, ...(extras?.imageLinks ?? [])].flatMap((link) => (link ? [{ url: link, pageUrl: url, title: title ?? null }] : [])),
  );
  return { images, dollars: costDollars?.total ?? null };
}

async function ask(env: Env, path: string, body: unknown, signal: AbortSignal): Promise<z.infer<typeof Answer>> {
  const { url, key } = configOf(env).search.exa;
  const service = { name: "exa", url: `${url}${path}`, key };
  const answer = Answer.safeParse(await postSearch(service, body, signal));
  if (!answer.success) throw unreadable();
  return answer.data;
}

function toPage({ url, title, publishedDate, text }: Result): ReadPage {
  return { url, title: title ?? null, published: publishedDate?.slice(0, 10) ?? null, text: text ?? "" };
}

const UNREADABLE_PAGE = "The page could not be read.";

/** The documented tags; the set is open. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["CRAWL_NOT_FOUND", "The page was not found."],
  ["CRAWL_TIMEOUT", "The page took too long to answer."],
  ["CRAWL_LIVECRAWL_TIMEOUT", "The page took too long to answer."],
  ["SOURCE_NOT_AVAILABLE", "The page refuses to be read."],
  ["UNSUPPORTED_URL", "This kind of address cannot be read."],
]);

function reasonOf({ error }: Status): string {
  const reason = REASONS.get(error?.tag ?? "") ?? UNREADABLE_PAGE;
  return error?.httpStatusCode ? `${reason} (HTTP ${error.httpStatusCode})` : reason;
}
