/** Parallel's web search (reference: `POST /v1/search`). */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { postSearch, unreadable } from "./search-request.ts";

/** A page that a search found; `published` is `YYYY-MM-DD`, `excerpts` are markdown. */
export type FoundPage = { url: string; title: string | null; published: string | null; excerpts: string[] };

export type WebSearch = {
  /** What to find out, in words. */
  objective: string;
  /** Two or three queries of three to six words work best. */
  queries: string[];
  includeDomains?: string[];
  excludeDomains?: string[];
  /** `YYYY-MM-DD`: pages published on or after it. */
  afterDate?: string;
  maxResults: number;
  maxCharsPerResult: number;
  /** Groups the searches of one reply. */
  sessionId: string;
};

const Found = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.nullish(z.string()),
      publish_date: z.nullish(z.string()),
      excerpts: z.nullish(z.array(z.string())),
    }),
  ),
});

/** Searches the web. Throws `SearchError`. */
export async function searchWeb(env: Env, search: WebSearch, signal: AbortSignal): Promise<FoundPage[]> {
  const { includeDomains, excludeDomains, afterDate } = search;
  const policy = {
    ...(includeDomains?.length && { include_domains: includeDomains }),
    ...(excludeDomains?.length && { exclude_domains: excludeDomains }),
    ...(afterDate !== undefined && { after_date: afterDate }),
  };
  const body = {
    objective: search.objective,
    search_queries: search.queries,
    session_id: search.sessionId,
    advanced_settings: {
      max_results: search.maxResults,
      excerpt_settings: { max_chars_per_result: search.maxCharsPerResult },
      ...(Object.keys(policy).length > 0 && { source_policy: policy }),
    },
  };
  const { parallel } = configOf(env).search;
  const service = { name: "parallel", url: `${parallel.url}/v1/search`, key: parallel.key };
  const answer = Found.safeParse(await postSearch(service, body, signal));
  if (!answer.success) throw unreadable();
  return answer.data.results
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
    .map(({ url, title, publish_date, excerpts }) => ({
      url,
      title: title ?? null,
      published: publish_date ?? null,
      excerpts: excerpts ?? [],
    }));
}
