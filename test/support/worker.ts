import { env, exports } from "cloudflare:workers";
import * as z from "zod/mini";
import { getSession, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import type { Endpoint, InputOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import type { User } from "#shared/entities/user.ts";
import { ErrorBody } from "#shared/errors.ts";
// What runs behind `exports`: named here, so `--changed` knows these tests by what changed in the Worker.
import "#worker/index.ts";
import { newestCode } from "./mailbox.ts";
import { SESSION_COOKIE, seedAccount } from "./seed-account.ts";

/** Where the Worker under test believes to be. */
export const ORIGIN = "http://localhost";

/** One request straight to the Worker, with neither cookies nor an Origin of its own. */
export function visit(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(new URL(path, ORIGIN), { redirect: "manual", ...init }));
}

/** What a call came back with: `body` as its contract says, or `error` as the table of errors says. */
export type Answer<E extends Endpoint> =
  | { ok: true; status: number; body: ResponseOf<E>; headers: Headers }
  | { ok: false; status: number; error: ErrorBody; headers: Headers };

/** A browser's memory and manners: keeps cookies, sends the page's Origin. */
export type Client = {
  cookies: Map<string, string>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Calls a contract and distinguishes success from failure. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<E>>;
  /** Calls a contract that must succeed. */
  take<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ResponseOf<E>>;
};

/** A new visitor without a session. */
export function visitor(): Client {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    if (!headers.has("origin")) headers.set("origin", ORIGIN);
    const response = await visit(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    return response;
  }

  async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<E>> {
    const init: RequestInit = { method: endpoint.method };
    if (endpoint.body) {
      init.headers = { "content-type": "application/json" };
      init.body = JSON.stringify(input.body);
    }
    const response = await send(addressOf(endpoint, input), init);
    const { status, headers } = response;
    const json: unknown = await response.json();
    if (!response.ok) return { ok: false, status, error: ErrorBody.parse(json), headers };
    if (!endpoint.response) throw new Error(`${endpoint.path} does not answer with JSON: use fetch.`);
    // The endpoint's own schema made this value; the compiler cannot tie it back to E.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { ok: true, status, body: endpoint.response.parse(json) as ResponseOf<E>, headers };
  }

  async function take<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ResponseOf<E>> {
    const answer = await call(endpoint, input);
    if (!answer.ok)
      throw new Error(
        `${endpoint.method} ${addressOf(endpoint, input)} answered ${answer.status} ${answer.error.code}: ${answer.error.error}`,
      );
    return answer.body;
  }

  return { cookies, fetch: send, call, take };
}

/** An address that no other test uses. */
export function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** Named by the local `ADMIN_EMAILS`. */
const ADMINISTRATOR = "admin@example.com";

/** A client that is signed in. */
export type Person = Client & { user: User; email: string };

/** A visitor signed in without a mail: a session seeded for the address, of a new account when the address is new. */
export async function signIn(client: Client = visitor(), email: string = newAddress()): Promise<Person> {
  if (client.cookies.size > 0) throw new Error("A browser that has a session already signs in by mail.");
  client.cookies.set(SESSION_COOKIE, await seedAccount(env.DB, { secret: env.SESSION_SECRET ?? "", email }));
  const { user } = await client.take(getSession, {});
  if (!user) throw new Error(`The session seeded for ${email} opens nothing.`);
  return { ...client, user, email };
}

/** Someone who administers the tests' deployment, in a browser of their own. */
export function signInAdministrator(): Promise<Person> {
  return signIn(visitor(), ADMINISTRATOR);
}

/** Signs a visitor in by the mailed code, through the Worker and the mailbox; a new account when the address is new. */
export async function signInByMail(client: Client = visitor(), email: string = newAddress()): Promise<Person> {
  await client.take(startEmailSignIn, { body: { email } });
  const code = await newestCode(env.MAILBOX_SIMULATOR, email);
  if (!code) throw new Error(`No sign-in code reached ${email}.`);
  const { user } = await client.take(verifyEmailSignIn, { body: { email, code } });
  return { ...client, user, email };
}

/** The code of a refusal; undefined where the call succeeded. */
export function refusal(answer: { ok: true } | { ok: false; error: ErrorBody }): string | undefined {
  return answer.ok ? undefined : answer.error.code;
}

/** The path of a contract's call with its parameters and query filled in. */
export function addressOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): string {
  const params = new URLSearchParams(texts(input.params));
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params.get(name) ?? ""));
  const query = new URLSearchParams(texts(input.query));
  return query.size === 0 ? path : `${path}?${query}`;
}

function texts(values: unknown): [string, string][] {
  const known = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.undefined()])).parse(values ?? {});
  return Object.entries(known).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]));
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  const isExpired = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
  if (isExpired) cookies.delete(name);
  else cookies.set(name, pair.slice(at + 1));
}
