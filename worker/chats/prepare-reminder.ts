import { triggeredChange } from "#shared/tools/triggered-settings.ts";
import { AppError } from "../app-error.ts";
import { toCaller } from "../auth/sessions.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import type { TurnRequest } from "../turn/request.ts";
import { admitTriggered } from "../usage/triggered-budget.ts";
import { findUser } from "../users/users.ts";
import { prepareTurn } from "./prepare-turn.ts";

/** What a reminder says, in whose name and in which place of its chat; `categories` are the chat's own. */
type Reminding = {
  userId: string;
  id: string;
  content: string;
  chatId: string;
  parentId: string | null;
  modelId: string | null;
  categories: readonly string[];
};

/**
 * Makes a turn of a reminder about a mail, by the settings of its person for messages that nobody typed; null where the person is
 * gone. It can write mail, and asks before it does. Throws `AppError`.
 */
export async function prepareReminder(env: Env, reminding: Reminding): Promise<TurnRequest | null> {
  const { userId, id, content, chatId, parentId, modelId, categories } = reminding;
  const db = openDatabase(env.DB);
  const person = await findUser(db, userId);
  if (!person) return null;
  if (person.blocked_at !== null) throw new AppError("ACCOUNT_BLOCKED");
  const context = { env, db, caller: toCaller("", person), settings: null, wishes: null, ip: "", isTriggered: true };
  const chosen = triggeredChange(person);
  const once = { ...chosen, tool_categories: withMail(chosen.tool_categories ?? categories) };
  const wish = { kind: "send" as const, id, parentId, content, settings: {}, once };
  const { request } = await prepareTurn(context, chatId, { wish, chatModel: async () => modelId });
  if (request.kind !== "send") return request;
  await admitTriggered(env, { id, replyId: request.replyId, person });
  const { tools } = request;
  return { ...request, tools: { ...tools, categories: tools.categories && withMail(tools.categories) }, asksAlways: true };
}

function withMail(categories: readonly string[]): string[] {
  return [...new Set([...categories, "email"])];
}
