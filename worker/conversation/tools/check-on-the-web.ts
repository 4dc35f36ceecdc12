import type { ToolSource } from "#shared/entities/tool-call.ts";
import { searchWeb } from "#worker/platform/clients/parallel-search.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { describePage, PAGE_CHARACTERS, PAGES_MAX } from "#worker/platform/texts/page-text.ts";
import { SEARCH_DOLLARS } from "./parallel-web-search.ts";
import type { ToolContext } from "./tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

/** What a search brought for a model that checks something, shown as a part; where there is no search, it says so. */
export async function checkOnTheWeb(
  context: ToolContext,
  { objective, queries }: { objective: string; queries: string[] },
): Promise<{ text: string; sources: ToolSource[] }> {
  const { env, replyId, signal, cite, charge, part } = context;
  const id = "check";
  part({ id, title: "Checked on the web", model_id: null, text: "", status: "running", cost: null });
  try {
    const found = await searchWeb(
      env,
      {
        objective: objective.slice(0, 2_000),
        queries: queries.length > 0 ? queries : [objective.slice(0, 200)],
        maxResults: PAGES_MAX,
        maxCharsPerResult: PAGE_CHARACTERS,
        sessionId: replyId,
      },
      signal,
    );
    charge(SEARCH_DOLLARS);
    const pages = found.slice(0, PAGES_MAX).map((page) => ({ ...page, number: cite(page) }));
    const texts = pages.map((page) => describePage({ ...page, text: page.excerpts.join("\n\n") }, PAGE_CHARACTERS));
    const asked = queries.map((query) => `“${query}”`).join(", ");
    const listed = pages.map(({ number, title, url }) => `- [${number}] ${title ?? new URL(url).hostname}`).join("\n");
    part({ id, text: `${asked === "" ? "" : `${asked}\n\n`}${listed || "Nothing was found."}`, status: "done", cost: SEARCH_DOLLARS });
    return {
      text: pages.length > 0 ? `Found on the web:\n${quoteUntrusted(texts.join("\n\n"))}` : "Nothing was found on the web.",
      sources: pages.map(({ url, title }) => ({ url, title, error: null })),
    };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    part({ id, text: error.message, status: "failed" });
    return { text: "The web could not be searched: nothing is checked against it. Say so.", sources: [] };
  }
}
