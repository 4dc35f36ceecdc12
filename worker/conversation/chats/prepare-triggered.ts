import { triggeredChange } from "#shared/tools/triggered-settings.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { admitTriggered } from "#worker/conversation/usage/triggered-budget.ts";
import { findUser } from "#worker/people/users/users.ts";
import { prepareTurn } from "./prepare-turn.ts";

/** What the chat says to itself, in whose name and in which place; `categories` are the chat's own, `needs` the one that the answer may need besides. */
type Triggering = {
  userId: string;
  id: string;
  content: string;
  chatId: string;
  parentId: string | null;
  modelId: string | null;
  categories: readonly string[];
  needs: string;
  /** What the turn may use that caused it, so whatever follows from one has no more than it had. */
  sources: readonly PrivateSource[];
};

/**
 * Makes a turn of what the chat itself has to say, as a reminder about a mail or the end of a call, by the settings of its person for
 * messages that nobody typed; null where the person is gone. Whatever acts outside asks first. Throws `AppError`.
 */
export async function prepareTriggered(
  { env, features }: { env: Env; features: Features },
  triggering: Triggering,
): Promise<TurnRequest | null> {
  const { userId, id, content, chatId, parentId, modelId, categories, needs, sources } = triggering;
  const withNeeded = (chosen: readonly string[]) => [...new Set([...chosen, needs])];
  const db = openDatabase(env.DB);
  const person = await findUser(db, userId);
  if (!person) return null;
  if (person.blocked_at !== null) throw new AppError("ACCOUNT_BLOCKED");
  const context = {
    env,
    features,
    db,
    caller: toCaller("", person),
    settings: null,
    preferences: null,
    ip: "",
    sources,
    isTriggered: true,
  };
  const chosen = triggeredChange(person);
  const once = { ...chosen, tool_categories: withNeeded(chosen.tool_categories ?? categories) };
  const input = { kind: "send" as const, id, parentId, content, settings: {}, once };
  const { request } = await prepareTurn(context, chatId, { input, chatModel: async () => modelId });
  if (request.kind !== "send") return request;
  await admitTriggered(env, { id, replyId: request.replyId, person });
  const { tools } = request;
  return { ...request, tools: { ...tools, categories: tools.categories && withNeeded(tools.categories) }, asksAlways: true };
}
