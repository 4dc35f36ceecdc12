import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { splitSteps } from "#shared/library/chain.ts";
import { fillTemplate, filledText, parsePrompt } from "#shared/library/prompt-template.ts";
import { AppError } from "../app-error.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { findPrompt } from "../prompts/prompts.ts";
import { findUser } from "../users/users.ts";

/** What a run sends, one message after the other: its text or saved prompt, filled in as things stand now, with what changed on its page. Throws `AppError`. */
export async function stepsOf(env: Env, userId: string, body: ScheduleBody, difference: string | null): Promise<string[]> {
  const steps =
    body.prompt_id === null ? splitSteps(body.text ?? "") : await filledSteps(env, userId, { ...body, prompt_id: body.prompt_id });
  const [first = "", ...others] = steps;
  if (difference === null || body.when.kind !== "page") return steps;
  const fence = "`".repeat(Math.max(3, ...(difference.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return [`${first}\n\n${body.when.url} has changed:\n\n${fence}diff\n${difference}\n${fence}`, ...others];
}

async function filledSteps(env: Env, userId: string, body: ScheduleBody & { prompt_id: string }): Promise<string[]> {
  const db = openDatabase(env.DB);
  const [prompt, person] = await Promise.all([findSaved(env, userId, body.prompt_id), findUser(db, userId)]);
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: body.time_zone }).format(Date.now());
  const builtIns = { CURRENT_DATE: date, USER_NAME: person?.display_name ?? "" };
  return parsePrompt(prompt.content).map((step) => filledText(fillTemplate(step, { variables: body.variables, builtIns })));
}

async function findSaved(env: Env, userId: string, id: string) {
  try {
    return await findPrompt(openDatabase(env.DB), userId, id);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "NOT_FOUND") throw cause;
    throw new AppError("INVALID_INPUT", { message: "The prompt that it sends is gone.", cause });
  }
}
