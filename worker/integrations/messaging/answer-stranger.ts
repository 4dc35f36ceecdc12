import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { sendText } from "#worker/platform/clients/whatsapp/send.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { countIfAllowed, takeBackEvent } from "#worker/platform/http/rate-limit.ts";
import { job } from "#worker/platform/jobs/job.ts";
import { findLink } from "#worker/people/messaging-number/messaging-number.ts";

/** Whoever is not served is answered once in so many milliseconds, whatever they send. */
const ONCE_IN_MS = 7 * 24 * 3_600_000;

const Stranger = z.object({ phone: z.nullable(z.string()), waUserId: z.nullable(z.string()), messageId: z.string() });
type Stranger = z.infer<typeof Stranger>;

/** Says to a number without an account how it is linked, once. */
export const answerStrangerJob = job("messaging.stranger", Stranger, answerStranger, "READS");

async function answerStranger(env: Env, { phone, waUserId, messageId }: Stranger): Promise<void> {
  // It may have been linked since.
  if (await findLink(openDatabase(env.DB), { phone, waUserId })) return;
  const key = `messaging-stranger:${phone ?? waUserId ?? ""}`;
  if (!(await isWeeklyAnswerDue(env, key))) return;
  const to = phone === null ? { recipient: waUserId ?? "" } : { to: phone };
  const sent = await sendText(env, { to, context: messageId, text: howToLink(env) });
  if (sent.ok || sent.isUncertain) return;
  await takeBackEvent(env, key);
  if (sent.isPassing) throw new Error("A stranger is answered later", { cause: new Error(`The messaging app answered ${sent.code}`) });
}

/** True once a week for a key: whoever is not served is told so no more often. */
export async function isWeeklyAnswerDue(env: Env, key: string): Promise<boolean> {
  const now = Date.now();
  return countIfAllowed(env, key, { limit: 1, since: now - ONCE_IN_MS, until: now + ONCE_IN_MS });
}

function howToLink(env: Env): string {
  const { origin } = configOf(env);
  const place = origin === undefined ? `${APP_NAME} in your browser` : origin;
  return `This number is not linked to an account of ${APP_NAME}. Sign in at ${place}, open the menu with your name, choose “WhatsApp setup” and enter this number. Then write here again.`;
}
