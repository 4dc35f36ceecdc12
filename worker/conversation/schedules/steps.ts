import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { splitSteps } from "#shared/library/chain.ts";
import { fillTemplate, filledText, parsePrompt } from "#shared/library/prompt-template.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { readPromptText } from "#worker/library/prompts/prompts.ts";
import { findUser } from "#worker/people/users/users.ts";

/** What a schedule sends: `promptText` is its saved prompt as its person saved it or last had it sent, null where that is not known. */
export type Sending = { body: ScheduleBody; promptText: string | null };

/**
 * The prompt's text that a run sends, and whether it says something else by now. A person's own prompt goes as it stands, one that others
 * changed as the person agreed to it: a run has all that is theirs, and they are not there to look. Throws `AppError`.
 */
export async function approvedPromptText(
  env: Env,
  userId: string,
  { body, promptText }: Sending,
): Promise<{ text: string | null; isOutdated: boolean }> {
  if (body.prompt_id === null) return { text: null, isOutdated: false };
  const { text, isOwn } = await findSaved(env, userId, body.prompt_id);
  const agreed = isOwn ? text : (promptText ?? text);
  return { text: agreed, isOutdated: agreed !== text };
}

/** What a run sends, one message after the other: its text or saved prompt, filled in as things stand now, with what changed on its page. Throws `AppError`. */
export async function messagesOfRun(env: Env, userId: string, { body, promptText }: Sending, difference: string | null): Promise<string[]> {
  const steps = promptText === null ? splitSteps(body.text ?? "") : await filledSteps(env, userId, body, promptText);
  const [first = "", ...others] = steps;
  if (difference === null || body.when.kind !== "page") return steps;
  const fence = "`".repeat(Math.max(3, ...(difference.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return [`${first}\n\n${body.when.url} has changed:\n\n${fence}diff\n${difference}\n${fence}`, ...others];
}

async function filledSteps(env: Env, userId: string, body: ScheduleBody, promptText: string): Promise<string[]> {
  const person = await findUser(openDatabase(env.DB), userId);
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: body.time_zone }).format(Date.now());
  const builtIns = { CURRENT_DATE: date, USER_NAME: person?.display_name ?? "" };
  return parsePrompt(promptText).map((step) => filledText(fillTemplate(step, { variables: body.variables, builtIns })));
}

async function findSaved(env: Env, userId: string, id: string) {
  try {
    return await readPromptText(openDatabase(env.DB), userId, id);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "NOT_FOUND") throw cause;
    throw new AppError("INVALID_INPUT", { message: "The prompt that it sends is gone.", cause });
  }
}
