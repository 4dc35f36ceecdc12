import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { startEmailSignIn } from "#shared/contracts/account/auth.ts";
import { app } from "#worker/app.ts";
import { type Changes, deploymentWith } from "./deployment.ts";
import { newestCode, newestMail } from "./mailbox.ts";
import { type Client, ORIGIN, type Person } from "./worker.ts";

/** Sends a request to the Worker as a deployment with other variables would get it. */
export async function visitWith(changes: Changes, path: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(new URL(path, ORIGIN), { redirect: "manual", ...init }), deploymentWith(changes), createExecutionContext());
}

/** A JSON POST as a page of this origin sends it. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", origin: ORIGIN, ...headers }, body: JSON.stringify(body) };
}

/** Asks for a code in this browser, where alone it holds, and reads it in the mailbox. */
export async function askForCode(browser: Client, email: string): Promise<string> {
  await browser.take(startEmailSignIn, { body: { email } });
  const code = await newestCode(env.MAILBOX_SIMULATOR, email);
  if (!code) throw new Error(`No code reached ${email}.`);
  return code;
}

/** The token of the link in the newest mail to an address. */
export async function newestToken(email: string): Promise<string> {
  const mail = await newestMail(env.MAILBOX_SIMULATOR, email);
  const link = /https?:\S+/.exec(mail?.text ?? "")?.[0];
  const token = link === undefined ? null : new URLSearchParams(new URL(link).hash.slice(1)).get("token");
  if (token === null) throw new Error(`No link reached ${email}.`);
  return token;
}

/** What this browser would send along. */
export function cookiesOf({ cookies }: Client): { cookie: string } {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
}

/** A code that is not `code`. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

/** An IP that no other test uses, as the platform's header says it. */
export function newIp(): Record<string, string> {
  const [one = "", other = "", third = ""] = crypto.randomUUID().slice(9).split("-");
  return { "cf-connecting-ip": `2001:${one}:${other}:${third}::1` };
}

/** Lets so many minutes pass since a person proved who they are, in all their browsers. */
export async function ageSignIn({ user }: Pick<Person, "user">, minutes: number): Promise<void> {
  const at = new Date(Date.now() - minutes * 60_000).toISOString();
  await env.DB.prepare("UPDATE sessions SET proved_at = ? WHERE user_id = ?").bind(at, user.id).run();
}
