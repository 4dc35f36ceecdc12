import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** Where in a draft a prompt goes: where the slash stood that asked for it, or in the place of what is to follow it. */
export type Place = { from: number; to: number };

/** How a prompt was chosen: where it goes, what goes `over` its settings, and whether what is written there follows it. */
export type Choice = { place: Place | null; over: ChatSettingsChange; isFollowed: boolean };

/** How a prompt is used: `tail` ends its last step and takes its place in the composer. */
export type Use = { place: Place | null; over: ChatSettingsChange; tail: string };

/**
 * What is under way with prompts at a composer: `list` shows them all, `chosen` was chosen and is being read, `form` asks for
 * its variables. Without a place a prompt goes below what is written.
 */
export type PromptUse =
  | { kind: "none" }
  | { kind: "list" }
  | ({ kind: "chosen"; promptId: string } & Choice)
  | ({ kind: "form"; prompt: Prompt } & Use);

const NONE: PromptUse = { kind: "none" };

/** By the composer's draft. */
export const promptUses = createKeyedStore<PromptUse>(NONE);

/** Shows all prompts at a composer. */
export function openPromptList(draftKey: string): void {
  promptUses.set(draftKey, { kind: "list" });
}

/** What the composer's button does: shows them, or no longer. */
export function togglePromptList(draftKey: string): void {
  if (promptUses.get(draftKey).kind === "list") endPromptUse(draftKey);
  else openPromptList(draftKey);
}

/** Uses a prompt at a composer: one that asks for nothing stands in it at once, any other asks first. */
export function choosePrompt(draftKey: string, promptId: string, choice: Partial<Choice> = {}): void {
  promptUses.set(draftKey, { kind: "chosen", promptId, place: null, over: {}, isFollowed: false, ...choice });
}

/** Ends what is under way. */
export function endPromptUse(draftKey: string): void {
  promptUses.set(draftKey, NONE);
}

/** What was selected last in a chat's answers and asked about, for `{{SELECTION}}`. */
export const selections = createKeyedStore<string>("");
