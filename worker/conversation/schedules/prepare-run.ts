import { applySettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { describeWhen } from "#shared/schedules/describe-when.ts";
import { triggeredChange } from "#shared/tools/triggered-settings.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { unclaimChat } from "#worker/conversation/chats/send-message.ts";
import { claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { prepareTurn } from "#worker/conversation/chats/prepare-turn.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { ALL_SOURCES } from "#worker/conversation/tools/private-source.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { admitTriggered } from "#worker/conversation/usage/triggered-budget.ts";
import { findUser } from "#worker/people/users/users.ts";

type Wanted = {
  userId: string;
  questionId: string;
  chatId: string;
  content: string;
  parentId: string | null;
  /** The model that the chat is set to. */
  modelId: string | null;
  /** True where the chat is yet to begin. */
  isNew: boolean;
  /** What the run's earlier steps cost. */
  spentMicros: number;
  /** `page` is the one whose changes are reported. */
  schedule: { id: string; page: string | null; body: ScheduleBody };
};

/** A turn to be handed to its room, `drop` taking back a chat that did not begin; `held` where the day's budget is used up. */
export type Prepared = { kind: "ready"; request: TurnRequest; drop(): Promise<void> } | { kind: "held"; message: string };

/** Makes a turn of what a schedule sends, by its own settings and else by those for messages that nobody typed. Throws `AppError`. */
export async function prepareRun({ env, features }: { env: Env; features: Features }, wanted: Wanted): Promise<Prepared> {
  const { userId, questionId, chatId, content, parentId, modelId, isNew, spentMicros, schedule } = wanted;
  const { body } = schedule;
  const budgetMicros = body.budget === null ? null : Math.max(0, toMicros(body.budget) - spentMicros);
  if (budgetMicros === 0) throw new AppError("TRIGGERED_BUDGET", { message: usedUp(spentMicros) });
  const db = openDatabase(env.DB);
  const person = await findUser(db, userId);
  if (!person) throw new AppError("NOT_FOUND");
  if (person.blocked_at !== null) throw new AppError("ACCOUNT_BLOCKED");
  const caller = toCaller("", person);
  const chosen = {
    ...triggeredChange(person),
    ...(body.model_id !== null && { model_id: body.model_id }),
    ...(body.persona_id !== null && { persona_id: body.persona_id }),
    ...(body.tool_categories !== null && { tool_categories: body.tool_categories }),
  };
  const context = { env, features, db, caller, settings: null, preferences: null, ip: "", sources: ALL_SOURCES, isTriggered: true };
  // A chat of its own is set to what it was begun with, so whoever goes on in it has the same.
  const settings = isNew ? { settings: chosen } : { settings: {}, once: chosen };
  const input = { kind: "send" as const, id: questionId, parentId, content, ...settings };
  const { request, preferences } = await prepareTurn(context, chatId, { input, chatModel: async () => modelId });
  if (request.kind !== "send") throw new AppError("INTERNAL");
  try {
    await admitTriggered(env, { id: questionId, replyId: request.replyId, person });
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "TRIGGERED_BUDGET") return { kind: "held", message: cause.message };
    throw cause;
  }
  const begun = { ...NO_SETTINGS, tool_categories: preferences.defaultCategories };
  const creation = { id: chatId, caller, settings: applySettings(begun, request.settings), title: titleOf(body) };
  const claim = isNew ? await claimChat(db, creation) : null;
  const origin = {
    id: schedule.id,
    title: body.title,
    words: `${describeWhen(body.when, body.time_zone)} (${body.time_zone})`,
    page: schedule.page,
    budgetMicros,
  };
  return {
    kind: "ready",
    request: { ...request, create: claim?.chat ?? null, asksAlways: true, schedule: origin },
    drop: async () => {
      if (claim) await unclaimChat(env, db, { caller, chatId });
    },
  };
}

function usedUp(spentMicros: number): string {
  return `The steps so far cost $${fromMicros(spentMicros).toFixed(4)}, all that one run of this schedule may cost. Raise its budget or pick a cheaper model.`;
}

/** A chat of each run is named after the schedule and the day. */
function titleOf({ title, chat, time_zone: timeZone }: ScheduleBody): string {
  if (chat === "same") return title.slice(0, CHAT_TITLE_LENGTH);
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone }).format(Date.now());
  return `${title}, ${day}`.slice(0, CHAT_TITLE_LENGTH);
}
