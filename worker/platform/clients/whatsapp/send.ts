/** What goes out by the messaging app. */
import * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";
import { askGraph, type GraphAnswer, whatsappOf } from "./graph.ts";

/** Characters of one text that the app takes. */
export const TEXT_LENGTH = 4_096;
/** Characters of what stands above buttons. */
export const BUTTONS_TEXT_LENGTH = 1_024;

/** Who a message is for: digits with or without a plus, or the app's own id of a person whose number is unknown. */
export type Recipient = { to: string } | { recipient: string };

/** `context` is the message that it answers; `reference` comes back with what becomes of it. */
export type Outgoing = { to: Recipient; context?: string | undefined; reference?: string | undefined };

const Sent = z.object({
  messages: z.array(z.object({ id: z.string() })).check(z.minLength(1)),
  contacts: z.optional(z.array(z.object({ user_id: z.optional(z.string()) }))),
});

/** Sends plain text in the app's own formatting, inside the window alone. Answers the message's id. */
export function sendText(env: Env, { text, ...outgoing }: Outgoing & { text: string }): Promise<GraphAnswer<string>> {
  return post(env, outgoing, { type: "text", text: { body: text, preview_url: false } });
}

/** A button below a text, at most three; its title has at most 20 characters, its id 256. */
export type Button = { id: string; title: string };

/** Sends a text with buttons, inside the window alone. */
export function sendButtons(
  env: Env,
  { text, buttons, ...outgoing }: Outgoing & { text: string; buttons: Button[] },
): Promise<GraphAnswer<string>> {
  const action = { buttons: buttons.map((reply) => ({ type: "reply", reply })) };
  return post(env, outgoing, { type: "interactive", interactive: { type: "button", body: { text }, action } });
}

/** A row of a list, at most ten; its title has at most 24 characters, its description 72. */
export type Row = { id: string; title: string; description?: string | undefined };

/** Sends a text with a list to choose from, inside the window alone; `button` opens it. */
export function sendList(
  env: Env,
  { text, button, rows, ...outgoing }: Outgoing & { text: string; button: string; rows: Row[] },
): Promise<GraphAnswer<string>> {
  const action = { button, sections: [{ rows }] };
  return post(env, outgoing, { type: "interactive", interactive: { type: "list", body: { text }, action } });
}

/** Sends the approved template that carries a one-time code, at most 15 characters: it may be sent at any time. */
export function sendCode(env: Env, { phone, code }: { phone: string; code: string }): Promise<GraphAnswer<string>> {
  const { templates } = whatsappOf(env);
  const parameters = [{ type: "text", text: code }];
  const components = [
    { type: "body", parameters },
    { type: "button", sub_type: "url", index: "0", parameters },
  ];
  return sendTemplate(env, { to: { to: phone } }, { name: templates.code, components });
}

/** Sends the approved template that says in which chat an answer waits: it may be sent at any time. */
export function sendWaiting(env: Env, { title, ...outgoing }: Outgoing & { title: string }): Promise<GraphAnswer<string>> {
  const { templates } = whatsappOf(env);
  const components = [{ type: "body", parameters: [{ type: "text", text: title }] }];
  return sendTemplate(env, outgoing, { name: templates.waiting, components });
}

/** Marks a message of somebody's as read, and shows that an answer is being written for 25 s at most. */
export async function showTyping(env: Env, messageId: string): Promise<void> {
  const { phoneNumberId } = whatsappOf(env);
  const body = { messaging_product: "whatsapp", status: "read", message_id: messageId, typing_indicator: { type: "text" } };
  // It only looks friendlier: what fails is in the log.
  await askGraph(env, { path: `${phoneNumberId}/messages`, body, answer: z.unknown() });
}

function sendTemplate(
  env: Env,
  outgoing: Outgoing,
  { name, components }: { name: string; components: unknown[] },
): Promise<GraphAnswer<string>> {
  const { templates } = whatsappOf(env);
  return post(env, outgoing, { type: "template", template: { name, language: { code: templates.language }, components } });
}

async function post(env: Env, { to, context, reference }: Outgoing, message: Record<string, unknown>): Promise<GraphAnswer<string>> {
  const { phoneNumberId } = whatsappOf(env);
  const body = {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...("to" in to ? { to: to.to.replaceAll(/\D/g, "") } : to),
    ...(context !== undefined && { context: { message_id: context } }),
    ...(reference !== undefined && { biz_opaque_callback_data: reference }),
    ...message,
  };
  const sent = await askGraph(env, { path: `${phoneNumberId}/messages`, body, answer: Sent });
  return sent.ok ? { ok: true, value: sent.value.messages[0]?.id ?? "" } : sent;
}
