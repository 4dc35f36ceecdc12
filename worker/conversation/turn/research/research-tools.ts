import type { Tool } from "#worker/conversation/tools/tool.ts";
import { researchGaps } from "./research-gaps.ts";
import { researchPlan } from "./research-plan.ts";
import { researchQuestion } from "./research-question.ts";

/** The steps of a deep research, which runs them itself: models do not see them. */
export const RESEARCH_STEPS: Tool[] = [researchPlan, researchQuestion, researchGaps];
