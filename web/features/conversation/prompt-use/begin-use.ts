import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Message } from "#shared/entities/message.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import type { User } from "#shared/entities/user.ts";
import { parsePrompt, type TemplateValues } from "#shared/library/prompt-template.ts";
import { onceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import { pick } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { ApiError } from "#web/lib/api.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { settingsOf } from "./apply-settings.ts";
import { fieldsOf, fillSteps, stepTexts, withTail } from "./form-values.ts";
import { allOf, insertSteps } from "./insert-prompt.ts";
import { type Choice, type Use, endPromptUse, promptUses, selections } from "#web/features/conversation/composer/prompt-use-store.ts";
import { countPromptUse, readPrompt } from "./read-prompt.ts";

/** Where a prompt is used, and by whom. */
export type UsePlace = { draftKey: string; chatId: string | null; path: readonly Message[]; user: User | null };

type Chosen = Choice & { promptId: string };

/** Reads a chosen prompt: one that asks for nothing stands in the composer at once, for any other the form opens. */
export async function beginUse({ promptId, place, over, isFollowed, ...at }: UsePlace & Chosen): Promise<void> {
  const { draftKey } = at;
  const chosen = promptUses.get(draftKey);
  try {
    const prompt = await readPrompt(promptId);
    // Something else was chosen meanwhile.
    if (promptUses.get(draftKey) !== chosen) return;
    const steps = parsePrompt(prompt.content);
    const builtIns = builtInsAt(at);
    const written = isFollowed ? allOf(draftKey) : null;
    const use = { place: written?.place ?? place, over, tail: written?.text ?? "" };
    if (fieldsOf(steps, builtIns).length > 0) return promptUses.set(draftKey, { kind: "form", prompt, ...use });
    endPromptUse(draftKey);
    await insertPrompt(at, prompt, { texts: stepTexts(withTail(fillSteps(steps, {}, builtIns), use.tail)), ...use });
  } catch (error) {
    endPromptUse(draftKey);
    toastFailure("Failed to use the prompt", error);
  }
}

/** Puts a filled prompt into its composer and what it sets with it: for the chat to come, or for the next message of one under way. */
export async function insertPrompt(
  { draftKey, chatId, user }: UsePlace,
  prompt: Prompt,
  { texts, place, over }: { texts: readonly string[] } & Pick<Use, "place" | "over">,
): Promise<void> {
  insertSteps(draftKey, texts, place);
  spend(draftKey, prompt);
  let settings: ChatSettingsChange = {};
  try {
    settings = { ...(await settingsOf(prompt, user)), ...over };
  } catch (error) {
    const description = error instanceof ApiError ? error.message : "";
    toast({ title: "Its model, persona and tools were not set", description, tone: "warning" });
  }
  if (chatId === null) return pick(null, settings);
  if (Object.keys(settings).length > 0) onceSettings.set(chatId, { ...onceSettings.get(chatId), ...settings });
}

/** The built-ins as they are known at a place. */
export function builtInsAt({ draftKey, path, user }: UsePlace) {
  const selection = selections.get(draftKey);
  return builtInValues({ userName: user?.display_name ?? "", timeZone: user?.time_zone ?? null, path, selection });
}

/** A prompt was used: that counts, and what was selected for it is spent. */
export function spend(draftKey: string, { id }: Prompt): void {
  selections.set(draftKey, "");
  countPromptUse(id);
}

type Known = { userName: string; timeZone: string | null; path: readonly Message[]; selection: string; now?: Date };

/** The built-ins that the page knows by itself; the date is `22 November 2026` in the person's time zone, or the browser's. */
export function builtInValues({ userName, timeZone, path, selection, now = new Date() }: Known): TemplateValues["builtIns"] {
  const answer = path.findLast(({ role, content }) => role === "assistant" && content !== "");
  return {
    CURRENT_DATE: new Intl.DateTimeFormat("en-GB", { dateStyle: "long", ...(timeZone !== null && { timeZone }) }).format(now),
    USER_NAME: userName,
    SELECTION: selection,
    ...(answer && { LAST_ANSWER: answer.content }),
  };
}
