import type { createSchedule } from "#shared/contracts/schedules.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { Schedule } from "#shared/entities/schedules/schedule.ts";
import type { When } from "#shared/entities/schedules/when.ts";
import { SCHEDULE_BUDGET_MAX } from "#shared/limits.ts";
import { describeWhen } from "#shared/schedules/describe-when.ts";
import { nextTimes } from "#shared/schedules/next-times.ts";
import { parseWhen, splitDraft } from "#shared/schedules/parse-when.ts";
import { instantOf, wallTimeAt } from "#shared/schedules/wall-clock.ts";

/** A prompt whose places a schedule fills. */
export type SavedPrompt = { id: string; name: string };

/** A schedule as its form has it: `words` are what was typed, `when` what they mean, null while they mean nothing. */
export type ScheduleDraft = {
  title: string;
  text: string;
  prompt: SavedPrompt | null;
  variables: Record<string, string>;
  whenText: string;
  when: When | null;
  zone: string;
  /** `this` is the chat that it was opened in. */
  place: "new" | "same" | "this";
  modelId: string | null;
  personaId: string | null;
  tools: string[] | null;
  budget: string;
};

export type DraftOrigin = { text?: string; prompt?: SavedPrompt; chatId?: string | null; zone: string; now: number };

/** A draft of a new schedule; a text that begins with its time is taken apart. */
export function newDraft({ text = "", prompt, zone, now }: DraftOrigin): ScheduleDraft {
  const split = splitDraft(text, { now, zone });
  const whenText = split?.phrase ?? "every weekday at 8";
  return {
    title: "",
    text: split?.text ?? text,
    prompt: prompt ?? null,
    variables: {},
    whenText,
    when: parseWhen(whenText, { now, zone }),
    zone,
    place: "new",
    modelId: null,
    personaId: null,
    tools: null,
    budget: "",
  };
}

/** A draft of a schedule as it is. */
export function draftOf(schedule: Schedule): ScheduleDraft {
  return {
    title: schedule.title,
    text: schedule.text ?? "",
    prompt: schedule.prompt_id === null ? null : { id: schedule.prompt_id, name: schedule.title },
    variables: schedule.variables,
    whenText: schedule.words,
    when: schedule.when,
    zone: schedule.time_zone,
    place: schedule.chat,
    modelId: schedule.model_id,
    personaId: schedule.persona_id,
    tools: schedule.tool_categories,
    budget: schedule.budget === null ? "" : String(schedule.budget),
  };
}

/** A draft after words for its time were typed. */
export function withWhenText(draft: ScheduleDraft, whenText: string, now: number): ScheduleDraft {
  const page = /https?:\/\/[^\s<>"')\]]+/.exec(draft.text)?.[0] ?? null;
  return { ...draft, whenText, when: parseWhen(whenText, { now, zone: draft.zone, page }) };
}

/** A draft after its time was chosen. */
export function withWhen(draft: ScheduleDraft, when: When): ScheduleDraft {
  return { ...draft, when, whenText: describeWhen(when, draft.zone) };
}

/** A draft in another zone: a time of day stays, and so does a moment's. */
export function withZone(draft: ScheduleDraft, zone: string): ScheduleDraft {
  if (draft.when?.kind !== "once") return { ...draft, zone };
  const shown = wallTimeAt(Date.parse(draft.when.at), draft.zone);
  return withWhen({ ...draft, zone }, { kind: "once", at: new Date(instantOf(shown, zone)).toISOString() });
}

/** The next three times of a draft, in epoch milliseconds. */
export function upcoming({ when, zone }: Pick<ScheduleDraft, "when" | "zone">, now: number): number[] {
  return when === null ? [] : nextTimes(when, { zone, anchor: now }, { after: now, count: 3 });
}

/** A budget as it was typed: dollars, null for none, undefined for what is no amount. */
export function budgetOf(text: string): number | null | undefined {
  const amount = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".");
  if (amount === "") return null;
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(amount)) return undefined;
  const dollars = Number(amount);
  return dollars >= 0.01 && dollars <= SCHEDULE_BUDGET_MAX ? dollars : undefined;
}

/** What is wrong with a draft, in words; null where it can be saved. */
export function problemOf(draft: ScheduleDraft, now: number): string | null {
  if (draft.prompt === null && draft.text.trim() === "") return "Write what is to be sent.";
  if (draft.when === null || (draft.when.kind === "once" && upcoming(draft, now).length === 0)) return "Say when it is to run.";
  return budgetOf(draft.budget) === undefined ? `Give an amount from $0.01 to $${SCHEDULE_BUDGET_MAX}, or nothing.` : null;
}

/** A draft as it is saved; null while something is wrong with it. */
export function toBody(draft: ScheduleDraft, { id, chatId }: { id: string; chatId: string | null }): BodyOf<typeof createSchedule> | null {
  const { title, text, prompt, variables, when, zone, place, modelId, personaId, tools } = draft;
  const budget = budgetOf(draft.budget);
  if (when === null || budget === undefined) return null;
  return {
    id,
    ...(title.trim() !== "" && { title: title.trim() }),
    text: prompt === null ? text : null,
    prompt_id: prompt?.id ?? null,
    variables,
    when,
    time_zone: zone,
    chat: place === "new" ? "new" : "same",
    ...(place === "this" && { chat_id: chatId }),
    model_id: modelId,
    persona_id: personaId,
    tool_categories: tools,
    budget,
  };
}
