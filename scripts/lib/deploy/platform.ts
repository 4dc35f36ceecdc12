/** The platform's own API, for what wrangler has no command for or of which it drops the platform's words. */
import * as z from "zod";
import { askWrangler } from "./wrangler.ts";

const Complaint = z.object({ code: z.number(), message: z.string(), documentation_url: z.string().optional() });
const Answer = z.object({ success: z.boolean(), errors: z.array(Complaint).nullish(), result: z.unknown() });

type Method = "GET" | "POST" | "PUT";

/** A refusal in the platform's own words, all of them. */
export class PlatformError extends Error {
  readonly codes: readonly number[];

  constructor(asked: string, complaints: readonly z.infer<typeof Complaint>[], status: number) {
    const words = complaints.map(
      ({ code, message, documentation_url: page }) => `${message} [code: ${code}]${page === undefined ? "" : ` ${page}`}`,
    );
    super(words.length === 0 ? `${asked} was answered with the status ${status} and no reason.` : words.join("\n"));
    this.name = "PlatformError";
    this.codes = complaints.map(({ code }) => code);
  }
}

/** One account at Cloudflare, as whoever deploys is signed in to it. */
export type Platform = {
  accountId: string;
  /** The account's pages, for whoever has to do something there. */
  dashboard: string;
  /** Asks at a path below the account, or at one that begins with a slash. Throws `PlatformError`. */
  ask<T>(path: string, schema: z.ZodType<T>, change?: { method: Exclude<Method, "GET">; body: unknown }): Promise<T>;
};

/** Opens the account of whoever is signed in. Throws one sentence where nobody is, or where it is not clear which account is meant. */
export async function openPlatform(): Promise<Platform> {
  const headers = await readCredentials();
  const base = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";

  async function call<T>(path: string, schema: z.ZodType<T>, change?: { method: Method; body: unknown }): Promise<T> {
    const { method = "GET", body } = change ?? {};
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(`Cloudflare cannot be reached: ${reasonOf(cause)}`, { cause });
    });
    const answer = Answer.safeParse(await response.json().catch(() => null));
    if (!answer.success || !answer.data.success) {
      throw new PlatformError(`${method} ${path}`, answer.data?.errors ?? [], response.status);
    }
    return schema.parse(answer.data.result);
  }

  // A secret that a repository does not have is empty, not absent.
  const accountId = process.env["CLOUDFLARE_ACCOUNT_ID"] || (await onlyAccount(call));
  return {
    accountId,
    dashboard: `https://dash.cloudflare.com/${accountId}`,
    ask: (path, schema, change) => call(path.startsWith("/") ? path : `/accounts/${accountId}/${path}`, schema, change),
  };
}

const Credentials = z.union([
  z.object({ token: z.string() }).transform(({ token }) => ({ authorization: `Bearer ${token}` })),
  z.object({ key: z.string(), email: z.string() }).transform(({ key, email }) => ({ "x-auth-key": key, "x-auth-email": email })),
]);

async function readCredentials(): Promise<Record<string, string>> {
  const { code, output } = await askWrangler(["auth", "token", "--json"]);
  const given = code === 0 ? Credentials.safeParse(JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1))) : null;
  if (given?.success) return given.data;
  throw new Error("You are not signed in to Cloudflare: run `npx wrangler login` (or set CLOUDFLARE_API_TOKEN), then try again.");
}

async function onlyAccount(call: <T>(path: string, schema: z.ZodType<T>) => Promise<T>): Promise<string> {
  const asked = call("/accounts", z.array(z.object({ id: z.string(), name: z.string() })));
  const accounts = await asked.catch((cause: unknown) => {
    if (!(cause instanceof PlatformError)) throw cause;
    const words = `Cloudflare does not let you in: run \`npx wrangler login\`, or make a new CLOUDFLARE_API_TOKEN (docs/deploying.md, step 4). Cloudflare says: ${cause.message}`;
    throw new Error(words, { cause });
  });
  const [account] = accounts;
  if (account && accounts.length === 1) return account.id;
  const names = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id} (${name})`).join("\n");
  if (account) throw new Error(`You are in several accounts: say which one this is for.\n${names}`);
  throw new Error("This token opens no account: it needs the permission to read the account's settings, or set CLOUDFLARE_ACCOUNT_ID.");
}

/** What a question is answered with, or null where the platform says by one of these codes that there is no such thing. */
export async function orNull<T>(asked: Promise<T>, codes: readonly number[]): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformError && error.codes.some((code) => codes.includes(code))) return null;
    throw error;
  }
}

/** What a failed request says of why: Node's own words only say that it failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
