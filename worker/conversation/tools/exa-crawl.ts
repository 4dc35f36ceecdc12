import * as z from "zod/mini";
import { type FailedPage, readPages } from "#worker/platform/clients/exa.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { configOf } from "#worker/platform/env.ts";
import { charactersPerPage, describePage, HOW_TO_CITE, PAGES_MAX } from "#worker/platform/texts/page-text.ts";
import type { Tool } from "./tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

/** One page's text, in US dollars (Exa's price list). */
export const PAGE_DOLLARS = 0.001;

const Input = z.object({
  urls: z
    .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000)))
    .check(z.minLength(1), z.maxLength(PAGES_MAX), z.describe("The pages to read, as whole addresses: https://…")),
});

/** Reads web pages by their addresses. */
export const exaCrawl: Tool<typeof Input> = {
  id: "exaCrawl",
  description:
    "Reads web pages by their addresses: those the user gave, or those a search found whose excerpts do not suffice. Answers with each page's text (fewer pages, more of each) and says which pages could not be read.",
  input: Input,
  dollars: PAGE_DOLLARS * PAGES_MAX,
  actsOutside: false,
  readsOutside: true,
  isSetUp: (env) => configOf(env).search.exa.key !== undefined,
  // Whoever made up an address can tell its owner by it all that the model knows.
  asksFirst: ({ urls }, { hasUntrustedText, knowsAddress }) => hasUntrustedText && urls.some((url) => !knowsAddress(url)),
  async run({ urls }, { env, signal, cite, charge }) {
    const wanted = [...new Set(urls)];
    // The provider would fetch them from its own network; nobody is sent there through us.
    const isPublic = (url: string): boolean => publicUrl(url) !== null;
    const refused = wanted.filter((url) => !isPublic(url)).map((url) => ({ url, reason: "This is not an address of the public web." }));
    const asked = wanted.filter(isPublic);
    const limit = charactersPerPage(asked.length);
    try {
      const read = asked.length > 0 ? await readPages(env, { urls: asked, maxCharacters: limit }, signal) : NOTHING;
      charge(read.dollars ?? read.pages.length * PAGE_DOLLARS);
      const failed = [...refused, ...read.failed];
      const sources = [
        ...read.pages.map(({ url, title }) => ({ url, title, error: null })),
        ...failed.map(({ url, reason }) => ({ url, title: null, error: reason })),
      ];
      if (read.pages.length === 0) return { ok: false, error: `No page could be read.\n${listFailed(failed)}`, sources };
      const texts = read.pages.map((page) => describePage({ ...page, number: cite(page) }, limit));
      const notRead = failed.length > 0 ? `\n\nNot read:\n${listFailed(failed)}` : "";
      return { ok: true, output: `${HOW_TO_CITE}\n\n${quoteUntrusted(texts.join("\n\n"))}${notRead}`, sources };
    } catch (error) {
      if (error instanceof SearchError) return { ok: false, error: error.message };
      throw error;
    }
  },
};

const NOTHING = { pages: [], failed: [], dollars: 0 };

function listFailed(failed: FailedPage[]): string {
  return failed.map(({ url, reason }) => `- ${url}: ${reason}`).join("\n");
}
