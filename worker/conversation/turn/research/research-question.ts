import * as z from "zod/mini";
import type { ToolSource } from "#shared/entities/tool-call.ts";
import {
  RESEARCH_EXCERPT_CHARACTERS,
  RESEARCH_PAGE_CHARACTERS,
  ResearchQuestion,
  RESEARCH_FOUND_PAGES,
  RESEARCH_READ_PAGES,
} from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { askSubModel } from "#worker/conversation/tools/ask-sub-model.ts";
import { describePage, HOW_TO_CITE } from "#worker/platform/texts/page-text.ts";
import type { Tool, ToolContext } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { readPages } from "#worker/platform/clients/exa.ts";
import { searchWeb } from "#worker/platform/clients/parallel-search.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { configOf } from "#worker/platform/env.ts";
import { PAGE_DOLLARS } from "#worker/conversation/tools/exa-crawl.ts";
import { SEARCH_DOLLARS } from "#worker/conversation/tools/parallel-web-search.ts";
import { researchModelOf } from "./researcher-of.ts";

const NOTES_TIMEOUT_MS = 90_000;

const SYSTEM = `You take notes for a report. From the pages, note what answers the sub-question: facts with their figures, dates and names, who says it, and where sources disagree or are weak. Short bullet points; nothing that the pages don't say, and say plainly what they leave open. ${HOW_TO_CITE}`;

const Notes = z.object({ ok: z.boolean(), text: z.string(), modelId: z.string() });

/** Looks into one sub-question: searches, reads the best pages, and notes what they say. Each of the three is done and paid once. */
export const researchQuestion: Tool<typeof ResearchQuestion> = {
  id: RESEARCH_TOOLS.question,
  description: "Looks into one question of a research.",
  input: ResearchQuestion,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  timeoutMs: 180_000,
  async run({ question, queries }, context) {
    const found = await search(context, { question, queries });
    if (!found.ok) return { ok: false, error: found.error };
    if (found.pages.length === 0) return { ok: false, error: "The search found nothing." };
    const read = await readBest(context, found.pages);
    const sources = sourcesOf(found, read);
    const notes = await takeNotes(context, { question, material: materialOf(found, read) });
    if (!notes.ok) return { ok: false, error: notes.text, sources };
    return { ok: true, output: quoteUntrusted(notes.text), sources };
  },
};

async function takeNotes(context: ToolContext, { question, material }: { question: string; material: string }) {
  const part = { id: "notes", title: "Findings" };
  let isFresh = false;
  const notes = await context.once("notes", Notes, async () => {
    isFresh = true;
    const user = `Sub-question:\n${question}\n\n${quoteUntrusted(material)}`;
    const asked = await askSubModel(context, {
      part,
      model: researchModelOf(context.model),
      system: SYSTEM,
      user,
      timeoutMs: NOTES_TIMEOUT_MS,
    });
    return { ok: asked.ok, text: asked.ok ? asked.text : asked.error, modelId: asked.modelId };
  });
  if (!isFresh) context.part({ ...part, model_id: notes.modelId, text: notes.text, status: notes.ok ? "done" : "failed" });
  return notes;
}

/** The pages that were read whole, then the excerpts of the others. */
function materialOf({ pages }: FoundPages, read: PagesRead): string {
  const fullPages = read.pages.map((page) => describePage(page, RESEARCH_PAGE_CHARACTERS));
  const others = pages
    .filter(({ number }) => !read.pages.some((page) => page.number === number))
    .map((page) => describePage({ ...page, text: page.excerpt }, RESEARCH_EXCERPT_CHARACTERS));
  return [...fullPages, ...others].join("\n\n");
}

function sourcesOf({ pages }: FoundPages, { failed }: PagesRead): ToolSource[] {
  const reasons = new Map(failed.map(({ url, reason }) => [url, reason]));
  return pages.map(({ url, title }) => ({ url, title, error: reasons.get(url) ?? null }));
}

const Page = z.object({ number: z.number(), url: z.string(), title: z.nullable(z.string()), published: z.nullable(z.string()) });

const FoundPages = z.object({ pages: z.array(z.extend(Page, { excerpt: z.string() })) });
type FoundPages = z.infer<typeof FoundPages>;

const PagesRead = z.object({
  pages: z.array(z.extend(Page, { text: z.string() })),
  failed: z.array(z.object({ url: z.string(), reason: z.string() })),
  dollars: z.number(),
});
type PagesRead = z.infer<typeof PagesRead>;

type Searched = ({ ok: true } & FoundPages) | { ok: false; error: string };

/** Searches the web for a sub-question, shown as a part; what cannot be searched is answered and not thrown. */
async function search(context: ToolContext, { question, queries }: ResearchQuestion): Promise<Searched> {
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
async function readBest(context: ToolContext, found: FoundPages["pages"]): Promise<PagesRead> {
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
