import type { Message } from "#shared/entities/message.ts";
import type { TemplateValues } from "#shared/library/prompt-template.ts";

type Known = { userName: string; timeZone: string | null; path: readonly Message[]; selection: string; now?: Date };

/** The built-ins that the page knows by itself; the date is `22 November 2026` in the person's time zone, or the browser's. */
export function knownBuiltIns({ userName, timeZone, path, selection, now = new Date() }: Known): TemplateValues["builtIns"] {
  const answer = path.findLast(({ role, content }) => role === "assistant" && content !== "");
  return {
    CURRENT_DATE: new Intl.DateTimeFormat("en-GB", { dateStyle: "long", ...(timeZone !== null && { timeZone }) }).format(now),
    USER_NAME: userName,
    SELECTION: selection,
    ...(answer && { LAST_ANSWER: answer.content }),
  };
}
