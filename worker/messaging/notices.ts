/** What the product says in the messaging app by itself. */
import * as z from "zod/mini";
import { sendList, sendText } from "../clients/whatsapp/send.ts";
import type { GraphFailure, GraphAnswer } from "../clients/whatsapp/graph.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { sleep } from "../turn/sleep.ts";

/** Milliseconds until what was not taken is tried again. */
const AGAIN_MS = [500, 3_000];

/** Whom it is for, and the message that it is about. */
export type Addressee = { phone: string; messageId: string };

const Row = z.object({ id: z.string(), title: z.string(), description: z.optional(z.string()) });

/** What is said, or offered as a list to choose from; `isLost` where it is that a message's file could not be fetched. */
export const Notice = z.object({
  say: z.nullable(z.string()),
  offer: z.nullable(z.object({ text: z.string(), button: z.string(), rows: z.array(Row) })),
  isLost: z.optional(z.boolean()),
});
export type Notice = z.infer<typeof Notice>;

/** Says something by itself; what the app does not take after a few tries is in the log. */
export async function notify(env: Env, { phone, messageId }: Addressee, { say, offer }: Notice): Promise<GraphAnswer<string>> {
  const to = { to: phone };
  return persist(() => (offer ? sendList(env, { to, ...offer }) : sendText(env, { to, context: messageId, text: say ?? "" })));
}

/** What may have arrived is not said again. */
async function persist(send: () => Promise<GraphAnswer<string>>): Promise<GraphAnswer<string>> {
  let sent = await send();
  for (const wait of AGAIN_MS) {
    if (sent.ok || !isWorthMore(sent)) break;
    await sleep(wait);
    sent = await send();
  }
  if (!sent.ok) log.warn("a notice was not taken by the messaging app", { code: sent.code });
  return sent;
}

function isWorthMore({ isPassing, isUncertain }: GraphFailure): boolean {
  return isPassing && !isUncertain;
}
