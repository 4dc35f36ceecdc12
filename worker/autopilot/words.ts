import type { Question } from "./question.ts";
import type { Needs, Tier } from "./rank-models.ts";

const MODELS: Record<Tier, string> = { light: "a light model", middle: "an all-round model", strong: "a strong model" };

/** Why a model was chosen, in a few words: what the question is, and what answers such a one. */
export function reasonFor(question: Question, needs: Needs, { tier, isLong }: { tier: Tier; isLong: boolean }): string {
  const about = [
    question.isCode
      ? "code"
      : question.isHard
        ? "a question that takes thought"
        : question.isLight
          ? "a short question"
          : "an everyday question",
    ...(needs.mustSee || needs.shouldSee ? ["pictures"] : []),
    ...(question.wantsWeb ? ["a need for the web"] : []),
    ...(isLong ? ["a long conversation"] : []),
  ];
  return `${MODELS[tier]} for ${listed(about)}`;
}

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length === 1 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
