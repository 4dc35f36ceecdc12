import * as z from "zod/mini";
import { searchWeb } from "#worker/platform/clients/parallel-search.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { configOf } from "#worker/platform/env.ts";
import { describePage, HOW_TO_CITE, PAGE_CHARACTERS, PAGES_MAX } from "#worker/platform/texts/page-text.ts";
import type { Tool } from "./tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

/** One search with up to ten results, in US dollars (Parallel's price list). */
export const SEARCH_DOLLARS = 0.005;

const Domains = z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(253))).check(z.maxLength(10));

const Input = z.object({
  objective: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(2_000), z.describe("What is to be found out, in one or two plain sentences.")),
  search_queries: z
    .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))
    .check(z.minLength(1), z.maxLength(5), z.describe("Two or three different queries of three to six words.")),
  include_domains: z.optional(Domains.check(z.describe("Only pages of these domains, e.g. example.org."))),
  exclude_domains: z.optional(Domains.check(z.describe("No pages of these domains."))),
  after_date: z.optional(z.iso.date().check(z.describe("Only pages published on or after this day, as YYYY-MM-DD."))),
});

/** Searches the web and gives the model excerpts of the pages found. */
export const parallelWebSearch: Tool<typeof Input> = {
  id: "parallelWebSearch",
  description:
    "Searches the web. Use it for anything recent, local, contested or outside of what you know for certain, and whenever the user asks for sources. Answers with excerpts of up to 8 pages, each with a number to cite it by.",
  input: Input,
  dollars: SEARCH_DOLLARS,
  actsOutside: false,
  readsOutside: true,
  isSetUp: (env) => configOf(env).search.parallel.key !== undefined,
  async run({ objective, search_queries, include_domains, exclude_domains, after_date }, { env, replyId, signal, cite, charge }) {
    try {
      const found = await searchWeb(
        env,
        {
          objective,
          queries: search_queries,
          includeDomains: include_domains,
          excludeDomains: exclude_domains,
          afterDate: after_date,
          maxResults: PAGES_MAX,
          maxCharsPerResult: PAGE_CHARACTERS,
          sessionId: replyId,
        },
        signal,
      );
      charge(SEARCH_DOLLARS);
      const pages = found.slice(0, PAGES_MAX);
      if (pages.length === 0) return { ok: true, output: "Nothing was found. Try other words, or fewer limits.", sources: [] };
      const texts = pages.map(({ url, title, published, excerpts }) =>
        describePage({ number: cite({ url, title }), url, title, published, text: excerpts.join("\n\n") }, PAGE_CHARACTERS),
      );
      return {
        ok: true,
        output: `${HOW_TO_CITE}\n\n${quoteUntrusted(texts.join("\n\n"))}`,
        sources: pages.map(({ url, title }) => ({ url, title, error: null })),
      };
    } catch (error) {
      if (error instanceof SearchError) return { ok: false, error: error.message };
      throw error;
    }
  },
};
