import * as z from "zod/mini";
import { configOf, type Env } from "../env.ts";
import { reachOut } from "./egress.ts";
import { isPublicIp } from "./public-address.ts";

/** The JSON form of DNS over HTTPS; types 1 and 28 are A and AAAA, others (an alias) are on the way to them. */
const Answer = z.object({ Status: z.number(), Answer: z.optional(z.array(z.object({ type: z.number(), data: z.string() }))) });
const ADDRESS_TYPES = new Set([1, 28]);

/**
 * True when a name has addresses and all of them are of the public internet; false also where that cannot be found out.
 * The platform resolves again by itself when it then connects, so a name that changes in between is not caught.
 */
export async function resolvesPublicly(env: Env, hostname: string, signal: AbortSignal): Promise<boolean> {
  const found = await Promise.all(["A", "AAAA"].map((type) => addressesOf(env, { hostname, type, signal })));
  const addresses = found.flat();
  return addresses.length > 0 && addresses.every(isPublicIp);
}

async function addressesOf(
  env: Env,
  { hostname, type, signal }: { hostname: string; type: string; signal: AbortSignal },
): Promise<string[]> {
  const url = new URL(configOf(env).dnsUrl);
  url.searchParams.set("name", hostname);
  url.searchParams.set("type", type);
  const response = await reachOut(url, { headers: { accept: "application/dns-json" }, signal });
  const { Status, Answer: rows = [] } = Answer.parse(await response.json());
  return Status === 0 ? rows.filter((row) => ADDRESS_TYPES.has(row.type)).map(({ data }) => data) : [];
}
