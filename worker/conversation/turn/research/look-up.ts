import * as z from "zod/mini";
import {
  RESEARCH_EXCERPT_CHARACTERS,
  RESEARCH_FOUND_PAGES,
  RESEARCH_PAGE_CHARACTERS,
  RESEARCH_READ_PAGES,
  type ResearchQuestion,
} from "#shared/research/research.ts";
import { readPages } from "#worker/platform/clients/exa.ts";
import { searchWeb } from "#worker/platform/clients/parallel-search.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { configOf } from "#worker/platform/env.ts";
import { PAGE_DOLLARS } from "#worker/conversation/tools/exa-crawl.ts";
import { SEARCH_DOLLARS } from "#worker/conversation/tools/parallel-web-search.ts";
import type { ToolContext } from "#worker/conversation/tools/tool.ts";

const Page = z.object({ number: z.number(), url: z.string(), title: z.nullable(z.string()), published: z.nullable(z.string()) });

const FoundPages = z.object({ pages: z.array(z.extend(Page, { excerpt: z.string() })) });
export type FoundPages = z.infer<typeof FoundPages>;

const PagesRead = z.object({
  pages: z.array(z.extend(Page, { text: z.string() })),
  failed: z.array(z.object({ url: z.string(), reason: z.string() })),
  dollars: z.number(),
});
export type PagesRead = z.infer<typeof PagesRead>;

type Searched = ({ ok: true } & FoundPages) | { ok: false; error: string };

/** Searches the web for a sub-question, shown as a part; what cannot be searched is answered and not thrown. */
export async function search(context: ToolContext, { question, queries }: ResearchQuestion): Promise<Searched> {
  const { env, replyId, signal, cite, charge, part, once } = context;
  const step = { id: "search", title: "Search" };
  part({ ...step, status: "running" });
  try {
    const found = await once("search", FoundPages, async () => {
      const results = await searchWeb(
        env,
        {
          objective: question,
          queries,
          maxResults: RESEARCH_FOUND_PAGES,
          maxCharsPerResult: RESEARCH_EXCERPT_CHARACTERS,
          sessionId: replyId,
        },
        signal,
      );
      charge(SEARCH_DOLLARS);
      const pages = results.slice(0, RESEARCH_FOUND_PAGES);
      return {
        pages: pages.map(({ url, title, published, excerpts }) => ({
          number: cite({ url, title }),
          url,
          title,
          published,
          excerpt: excerpts.join("\n\n"),
        })),
      };
    });
    const asked = queries.map((query) => `“${query}”`).join(", ");
    part({ ...step, text: `${asked}\n\n${listPages(found.pages) || "Nothing was found."}`, status: "done", cost: SEARCH_DOLLARS });
    return { ok: true, ...found };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    part({ ...step, text: error.message, status: "failed" });
    return { ok: false, error: error.message };
  }
}

/** Reads the best of the pages found, shown as a part; where none can be read, their excerpts have to do. */
export async function readBest(context: ToolContext, found: FoundPages["pages"]): Promise<PagesRead> {
  const { env, signal, charge, part, once } = context;
  const chosen = found.filter(({ url }) => publicUrl(url) !== null).slice(0, RESEARCH_READ_PAGES);
  const step = { id: "read", title: "Read" };
  if (configOf(env).search.exa.key === undefined || chosen.length === 0) return NOTHING;
  part({ ...step, status: "running" });
  try {
    const read = await once("read", PagesRead, async () => {
      const urls = chosen.map(({ url }) => url);
      const { pages, failed, dollars } = await readPages(env, { urls, maxCharacters: RESEARCH_PAGE_CHARACTERS }, signal);
      const paid = dollars ?? pages.length * PAGE_DOLLARS;
      charge(paid);
      const own = pages.flatMap(({ url, text }) => {
        const page = chosen.find((candidate) => candidate.url === url);
        return page ? [{ number: page.number, url, title: page.title, published: page.published, text }] : [];
      });
      return { pages: own, failed, dollars: paid };
    });
    const notRead = read.failed.map(({ url, reason }) => `- ${url}: ${reason}`).join("\n");
    const text = [listPages(read.pages), notRead].filter(Boolean).join("\n");
    part({ ...step, text, status: read.pages.length > 0 ? "done" : "failed", cost: read.dollars });
    return read;
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    part({ ...step, text: error.message, status: "failed" });
    return NOTHING;
  }
}

const NOTHING: PagesRead = { pages: [], failed: [], dollars: 0 };

function listPages(pages: readonly z.infer<typeof Page>[]): string {
  return pages.map(({ number, title, url }) => `- [${number}] ${title ?? new URL(url).hostname}`).join("\n");
}
