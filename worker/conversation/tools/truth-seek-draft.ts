import * as z from "zod/mini";
import { askSubModel } from "./ask-sub-model.ts";
import { questionField, STANDALONE_QUESTION } from "./question.ts";
import type { Tool } from "./tool.ts";

const TIMEOUT_MS = 120_000;

const SYSTEM =
  "Write a first draft of an answer that will be checked claim by claim. Be concrete: numbers, names and dates where you have them, so that they can be checked. Mark what you are unsure of. No preamble and no closing words.";

const Input = z.object({
  question: questionField(STANDALONE_QUESTION),
});

/** The first of three steps towards an answer that was checked. */
export const truthSeekDraft: Tool<typeof Input> = {
  id: "truthSeekDraft",
  description:
    "Step 1 of 3 of a checked answer: drafts an answer to a question of fact. Use the three steps, truthSeekDraft, truthSeekCritique and truthSeekRefine, in this order when it matters that the answer is true.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  timeoutMs: TIMEOUT_MS + 15_000,
  async run({ question }, context) {
    const part = { id: "draft", title: "Draft" };
    const drafted = await askSubModel(context, { part, model: context.model, system: SYSTEM, user: question, timeoutMs: TIMEOUT_MS });
    if (!drafted.ok) return { ok: false, error: `No draft was written. ${drafted.error}` };
    return {
      ok: true,
      output: `Draft by ${drafted.modelId}:\n\n${drafted.text}\n\nNow call truthSeekCritique with the question, this draft word for word, and draft_model "${drafted.modelId}".`,
    };
  },
};
