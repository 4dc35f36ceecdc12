/** What the product says in the messaging app by itself. */
import { sendList, sendText, type Row } from "../clients/whatsapp/send.ts";
import type { GraphFailure, Told } from "../clients/whatsapp/graph.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { sleep } from "../turn/sleep.ts";

/** Milliseconds until what was not taken is tried again. */
const AGAIN_MS = [500, 3_000];

/** Whom it is for, and the message that it is about. */
export type Addressee = { phone: string; messageId: string };

/** Says something; what the app does not take after a few tries is in the log. */
export async function say(env: Env, { phone, messageId }: Addressee, text: string): Promise<Told<string>> {
  return persist(() => sendText(env, { to: { to: phone }, context: messageId, text }));
}

/** Offers a list to choose from. */
export async function offer(env: Env, { phone }: Addressee, list: { text: string; button: string; rows: Row[] }): Promise<Told<string>> {
  return persist(() => sendList(env, { to: { to: phone }, ...list }));
}

/** What may have arrived is not said again. */
async function persist(send: () => Promise<Told<string>>): Promise<Told<string>> {
  let told = await send();
  for (const wait of AGAIN_MS) {
    if (told.ok || !isWorthMore(told)) break;
    await sleep(wait);
    told = await send();
  }
  if (!told.ok) log.warn("a notice was not taken by the messaging app", { code: told.code });
  return told;
}

function isWorthMore({ isPassing, isUncertain }: GraphFailure): boolean {
  return isPassing && !isUncertain;
}
