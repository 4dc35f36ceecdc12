import { placeCall } from "../clients/runs/bland.ts";
import { countIfFree, giveBack } from "../http/rate-limit.ts";
import type { ToolContext, ToolResult } from "../tools/tool.ts";
import { callRules } from "./call-settings.ts";
import { hoursProblem, dayAround } from "./hours.ts";
import { checkNumber } from "./numbers.ts";
import { webhookAddress } from "./webhook-address.ts";

/** What a call is made with, as its person approved it. */
export type CallInput = {
  phone_number: string;
  task: string;
  max_duration: number;
  first_sentence?: string | undefined;
  voice?: string | undefined;
  language?: string | undefined;
};

const UNCERTAIN =
  "Whether the call was placed is not known, so do not call again. If it was, what was said comes into this chat by itself.";

/** Calls a number for a tool call, within its person's hours, calls of a day and credit; the room follows it to its end. */
export async function callNumber(input: CallInput, context: ToolContext): Promise<ToolResult> {
  const { env, chatId, callId, replyId, reader, runs } = context;
  const checked = checkNumber(input.phone_number);
  if (!checked.ok) return checked;
  const { time_zone: zone, calls_per_day: perDay, price_per_minute: price, ...hours } = await callRules(env, reader.userId);
  const late = hoursProblem({ ...hours, calls_per_day: perDay }, zone, Date.now());
  if (late !== null) return { ok: false, error: late };
  // Counted before it is made, where all of a person's calls meet: two at once cannot both be the last.
  const key = `calls:${reader.userId}`;
  const { begins, ends } = dayAround(zone, Date.now());
  if (!(await countIfFree(env, key, { limit: perDay, since: begins - 1, until: ends }))) {
    return { ok: false, error: `The day's calls are used up: there are ${perDay} a day. The number is set in the settings, under Tools.` };
  }
  const made = await runs.start(
    { callId, replyId, reader },
    { kind: "phone", number: checked.number, maxMinutes: input.max_duration, holdDollars: input.max_duration * price },
    async () => {
      const metadata = { chat_id: chatId, user_id: reader.userId, tool_call_id: callId };
      const webhook = await webhookAddress(env, { chatId, callId });
      const placed = await placeCall(
        env,
        { ...input, phone_number: checked.number, metadata, ...(webhook !== null && { webhook }) },
        // A stop of the turn comes too late for it: a call that rings must be known here.
        new AbortController().signal,
      );
      if (placed.ok) return { ok: true, ref: placed.value, status: "queued", link: null };
      return { ok: false, error: placed.message, isUncertain: placed.isUncertain };
    },
  );
  if (!made.ok && made.isUncertain) return { ok: false, error: `${made.error} ${UNCERTAIN}` };
  if (!made.ok) {
    await giveBack(env, key);
    return { ok: false, error: made.error };
  }
  return { ok: true, output: `${checked.shown} is being called. What was said comes into this chat by itself once the call has ended.` };
}
