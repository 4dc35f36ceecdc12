import * as z from "zod/mini";
import type { ToolSource } from "#shared/entities/tool-call.ts";
import { RESEARCH_EXCERPT_CHARACTERS, RESEARCH_PAGE_CHARACTERS, ResearchQuestion } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { askSubModel } from "#worker/conversation/tools/ask-sub-model.ts";
import { describePage, HOW_TO_CITE } from "#worker/platform/texts/page-text.ts";
import type { Tool, ToolContext } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import { type FoundPages, type PagesRead, readBest, search } from "./look-up.ts";
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
