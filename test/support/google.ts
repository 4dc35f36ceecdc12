import { env } from "cloudflare:workers";
import * as z from "zod/mini";
import { type Person } from "./worker.ts";

const Granted = z.object({ scopes: z.array(z.string()), refreshes: z.number(), isLive: z.boolean() });

/** How a person's grant stands with the stand-in for Google. */
export async function grantOf(email: string) {
  const response = await fetch(`${env.GOOGLE_SIMULATOR}/control/grant?${new URLSearchParams({ email }).toString()}`);
  return Granted.parse(await response.json());
}

type Change = { do?: "expire" | "revoke"; lastsS?: number; fault?: "token-500" | "token-hang" | null };

/** Changes a person's grant there. */
export async function changeGrant(email: string, change: Change): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email, ...change }) };
  const response = await fetch(`${env.GOOGLE_SIMULATOR}/control/grant`, init);
  await response.body?.cancel();
}

/** Begins connecting, and answers the consent page that the browser is sent to. */
export async function beginGoogle(person: Pick<Person, "fetch">, query: Record<string, string> = {}): Promise<URL> {
  const response = await person.fetch(`/api/auth/gmail/connect?${new URLSearchParams(query).toString()}`);
  return new URL(response.headers.get("location") ?? "");
}

/** Decides on the consent page as an account with this address, and answers where Google sends the browser back to. */
export async function decideAtGoogle(page: URL, email: string, query: [string, string][] = []): Promise<string> {
  const url = new URL(page);
  url.searchParams.delete("login_hint");
  for (const [name, value] of [["auto", "1"], ["email", email], ...query] satisfies [string, string][])
    url.searchParams.append(name, value);
  const response = await fetch(url, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

/** Connects a person's Google account, named as they are by default, and returns where that leads. */
export async function connectGoogle(person: Person, { features, email = person.email }: { features?: string; email?: string } = {}) {
  const page = await beginGoogle(person, features === undefined ? {} : { features });
  const response = await person.fetch(await decideAtGoogle(page, email));
  return response.headers.get("location");
}

const Mailbox = z.object({
  messages: z.array(
    z.object({
      id: z.string(),
      threadId: z.string(),
      labelIds: z.array(z.string()),
      from: z.string(),
      to: z.string(),
      cc: z.string(),
      bcc: z.string(),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
      messageId: z.string(),
      inReplyTo: z.string(),
      references: z.string(),
      raw: z.nullable(z.string()),
    }),
  ),
  drafts: z.array(z.object({ id: z.string(), messageId: z.string() })),
});

/** What lies in an account's mailbox there. */
export async function gmailOf(email: string) {
  const response = await fetch(`${env.GOOGLE_SIMULATOR}/control/gmail?${new URLSearchParams({ email }).toString()}`);
  return Mailbox.parse(await response.json());
}

/** Makes an account's mailbox answer so, always or so many times. */
export async function breakGmail(email: string, fault: string | null, times?: number): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email, fault, times }) };
  const response = await fetch(`${env.GOOGLE_SIMULATOR}/control/gmail`, init);
  await response.body?.cancel();
}
