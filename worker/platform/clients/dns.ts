import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { egressFetch } from "./egress.ts";
import { isPublicIp } from "./public-address.ts";

/** The JSON form of DNS over HTTPS; types 1 and 28 are A and AAAA, others (an alias) are on the way to them. */
const Answer = z.object({
  Status: z.number(),
  Answer: z.optional(z.array(z.object({ type: z.number(), data: z.string(), TTL: z.optional(z.number()) }))),
});
const ADDRESS_TYPES = new Set([1, 28]);
const RECORD_TYPES = { A: 1, CNAME: 5, TXT: 16 } as const;
/** The response codes of RFC 1035 that say what there is. */
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const TIMEOUT_MS = 3_000;

/**
 * True when a name has addresses and all of them are of the public internet. Throws where the resolver gave no answer about those of one
 * kind, as it may have others then.
 * The platform resolves again by itself when it then connects, so a name that changes in between is not caught.
 */
export async function resolvesPublicly(env: Env, hostname: string, signal: AbortSignal): Promise<boolean> {
  const found = await Promise.all(["A", "AAAA"].map((type) => addressesOf(env, { hostname, type, signal })));
  const addresses = found.flatMap((known) => known ?? []);
  if (!addresses.every(isPublicIp)) return false;
  if (found.includes(null)) throw new Error(`The resolver could not tell about ${hostname}.`);
  return addresses.length > 0;
}

/** Null where the resolver gave no answer. */
async function addressesOf(
  env: Env,
  { hostname, type, signal }: { hostname: string; type: string; signal: AbortSignal },
): Promise<string[] | null> {
  const { Status, Answer: rows = [] } = await query(env, { name: hostname, type, signal });
  if (Status !== NO_ERROR && Status !== NO_SUCH_NAME) return null;
  return Status === NO_ERROR ? rows.filter((row) => ADDRESS_TYPES.has(row.type)).map(({ data }) => data) : [];
}

/** The texts of a name's TXT records, the strings of each joined; none where the name does not exist. Throws where the resolver gave no answer. */
export async function lookUpTexts(env: Env, name: string): Promise<string[]> {
  return (await lookUp(env, { name, type: "TXT" })).records;
}

type Question = { name: string; type: keyof typeof RECORD_TYPES };
/** What there is of one type at a name; `exists` is false where the name has nothing of any type. */
export type DnsRecords = { exists: boolean; records: string[] };

/** Answers that still hold, the oldest first; `until` in epoch milliseconds. */
const known = new Map<string, { until: number; found: DnsRecords }>();
const KNOWN_ANSWERS = 500;
/** Anybody can have longer ones asked for, by the hundred: a key of 4,096 bits has 750 characters. */
const KNOWN_LENGTH = 4 * 1024;
/** However long a name's owner lets it hold, in seconds: a key that was revoked should not be believed for a day. */
const LONGEST_TTL_S = 60 * 60;

/** The same as `lookUp`, from what this isolate was answered before where that still holds by its TTL. What is missing is asked for again. */
export async function lookUpKnown(env: Env, question: Question): Promise<DnsRecords> {
  const key = [configOf(env).dnsUrl, question.type, question.name.toLowerCase()].join(" ");
  const before = known.get(key);
  if (before && before.until > Date.now()) return before.found;
  const { ttl, ...found } = await lookUp(env, question);
  known.delete(key);
  const isCacheable = ttl > 0 && found.records.join("").length <= KNOWN_LENGTH;
  if (isCacheable) known.set(key, { until: Date.now() + Math.min(ttl, LONGEST_TTL_S) * 1000, found });
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_ANSWERS) break;
    known.delete(oldest);
  }
  return found;
}

/** `ttl` in seconds; 0 where nothing was found. Throws where the resolver gave no answer. */
async function lookUp(env: Env, { name, type }: Question): Promise<DnsRecords & { ttl: number }> {
  const { Status, Answer: rows = [] } = await query(env, { name, type, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (Status !== NO_ERROR && Status !== NO_SUCH_NAME) throw new Error(`The resolver answered ${Status} for ${name}.`);
  const records = rows.filter((row) => row.type === RECORD_TYPES[type]).map(({ data }) => (type === "TXT" ? textOf(data) : data));
  const ttl = records.length === 0 ? 0 : Math.min(...rows.map(({ TTL = 0 }) => TTL));
  return { exists: Status === NO_ERROR, records, ttl };
}

/** Most resolvers put each of a record's strings into quotes, with a backslash before what would end them; some write the text alone. */
function textOf(data: string): string {
  const strings = data.match(/"(?:[^"\\]|\\.)*"/g);
  if (!strings || !data.startsWith('"')) return data;
  return strings.map((quoted) => quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1")).join("");
}

async function query(env: Env, { name, type, signal }: { name: string; type: string; signal: AbortSignal }) {
  const url = new URL(configOf(env).dnsUrl);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const response = await egressFetch(url, { headers: { accept: "application/dns-json" }, signal });
  return Answer.parse(await response.json());
}
