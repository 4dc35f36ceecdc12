/** The bounds of a deep research, and what it is likely to cost: one table for the run, its reservation and the notice before it. */
import * as z from "zod/mini";
import type { TokenPrices } from "#shared/models/model-rules.ts";

/** Sub-questions of a plan, and those that may be added once when the findings leave gaps. */
export const RESEARCH_QUESTIONS_MIN = 3;
export const RESEARCH_QUESTIONS_MAX = 6;
export const RESEARCH_GAPS_MAX = 3;
/** Of each sub-question: pages found by the search, those of them that are read, and characters of each that the notes are made from. */
export const RESEARCH_FOUND_PAGES = 6;
export const RESEARCH_READ_PAGES = 3;
export const RESEARCH_EXCERPT_CHARACTERS = 1_500;
export const RESEARCH_PAGE_CHARACTERS = 6_000;
/** After so many milliseconds nothing new is looked into: the report is written from what there is. */
export const RESEARCH_LIMIT_MS = 10 * 60_000;

/** A sub-question of a research, with what to search the web for. */
export const ResearchQuestion = z.strictObject({
  question: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  queries: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(4)),
});
export type ResearchQuestion = z.infer<typeof ResearchQuestion>;

/** US dollars: one search with its results, and one page's text (the providers' price lists). */
const SEARCH_DOLLARS = 0.005;
const PAGE_DOLLARS = 0.001;

/** What calls take on average, in tokens; prompts follow from the bounds at 4 characters a token. */
const INSTRUCTIONS = 600;
const PLAN_WRITTEN = 600;
const NOTES_WRITTEN = 900;
const GAPS_WRITTEN = 300;
const REPORT_WRITTEN = 3_000;
/** A usual run: most plans have five sub-questions, and leave two gaps. */
const USUAL_QUESTIONS = 5;
const USUAL_GAPS = 2;

/** Seconds that a usual run takes: its five steps one after another, at a quick and at a slow model's pace. */
const QUICK_STEP_S = 25;
const SLOW_STEP_S = 60;
const STEPS = 5;

export type ResearchEstimate = { dollars: number; minutes: { from: number; to: number } };

/** What a usual research costs in US dollars with a model at these prices per token (null: what the searches alone cost), and how long it takes. */
export function estimateResearch(pricing: TokenPrices | null): ResearchEstimate {
  const questions = USUAL_QUESTIONS + USUAL_GAPS;
  const searches = questions * (SEARCH_DOLLARS + RESEARCH_READ_PAGES * PAGE_DOLLARS);
  const material = (RESEARCH_FOUND_PAGES * RESEARCH_EXCERPT_CHARACTERS + RESEARCH_READ_PAGES * RESEARCH_PAGE_CHARACTERS) / 4;
  const prompt = questions * (INSTRUCTIONS + material + NOTES_WRITTEN) + USUAL_QUESTIONS * NOTES_WRITTEN + 3 * INSTRUCTIONS;
  const written = PLAN_WRITTEN + questions * NOTES_WRITTEN + GAPS_WRITTEN + REPORT_WRITTEN;
  const models = pricing === null ? 0 : prompt * pricing.prompt + written * pricing.completion;
  return {
    dollars: searches + models,
    minutes: { from: Math.floor((STEPS * QUICK_STEP_S) / 60), to: Math.ceil((STEPS * SLOW_STEP_S) / 60) },
  };
}
