/** People who are away, and the mails that tell them what happened meanwhile. */
import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { vi } from "vitest";
import { updateUser } from "#shared/contracts/account/users.ts";
import { openTab } from "./live-tab.ts";
import { mailsTo } from "./mailbox.ts";
import { type Person, signIn } from "./worker.ts";

export const MINUTE = 60_000;
/** Longer than a notice waits for its person to come back, in milliseconds. */
export const WAITED = 3 * MINUTE;
/** Somebody who wants every kind of mail. */
export const ALL = { notify_replies: true, notify_approvals: true, notify_shares: true, notify_imports: true };

/** A person's hub. */
export const hubOf = ({ user }: Pick<Person, "user">) => env.USER_HUB.getByName(user.id);

/** Somebody who had a tab open once, and looks at nothing now. */
export async function signInAndLeave(preferences: Partial<typeof ALL> = ALL): Promise<Person> {
  const person = await signIn();
  await person.take(updateUser, { body: preferences });
  (await openTab(person)).close();
  return person;
}

/** Wakes a person's hub as if so much time had passed. */
export async function wakeAfter(person: Person, ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  try {
    await runDurableObjectAlarm(hubOf(person));
  } finally {
    vi.useRealTimers();
  }
}

/** The notices that came to a person by mail. */
export async function noticesTo({ email }: Pick<Person, "email">) {
  return (await mailsTo(env.MAILBOX_SIMULATOR, email)).filter(({ headers }) => headers["List-Unsubscribe"] !== undefined);
}

/** The link that ends such mails. */
export function unsubscribeLinkIn(mail: { headers: Record<string, string> } | undefined): string {
  return /^<(.*)>$/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
}
