import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "#worker/app.ts";
import { type Changes, deploymentWith } from "./deployment.ts";
import { newestCode } from "./mailbox.ts";
import { ORIGIN, visit } from "./worker.ts";

/** Sends a request to the Worker as a deployment with other variables would get it. */
export async function visitWith(changes: Changes, path: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(new URL(path, ORIGIN), { redirect: "manual", ...init }), deploymentWith(changes), createExecutionContext());
}

/** A JSON POST as a page of this origin sends it. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", origin: ORIGIN, ...headers }, body: JSON.stringify(body) };
}

/** Asks for a code and reads it in the mailbox. */
export async function askForCode(email: string): Promise<string> {
  const response = await visit("/api/auth/email/start", post({ email }));
  if (!response.ok) throw new Error(`No code: ${response.status}`);
  const code = await newestCode(env.MAILBOX_SIMULATOR, email);
  if (!code) throw new Error(`No code reached ${email}.`);
  return code;
}

/** A code that is not `code`. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

/** An IP that no other test uses, as the platform's header says it. */
export function newIp(): Record<string, string> {
  const [one = "", other = "", third = ""] = crypto.randomUUID().slice(9).split("-");
  return { "cf-connecting-ip": `2001:${one}:${other}:${third}::1` };
}
