import { configOf, type Env } from "#worker/platform/env.ts";
import { resolvesPublicly } from "../dns.ts";
import { egressFetch, isTooLong } from "../egress.ts";
import { isOwnZone } from "../own-zone.ts";
import { publicUrl } from "../public-address.ts";
import { McpError } from "./mcp-error.ts";

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
const DNS_TIMEOUT_MS = 5_000;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Bounds = {
  /** Bytes of all answers together. */
  maxBytes: number;
  /** Called with the first byte too many; the answer then ends with the same error. */
  onTooLarge: (error: McpError) => void;
  /** The host that this deployment was asked by, whose zone is its own even where nothing else says so. */
  ownHost?: string;
};

/**
 * Fetches what an MCP server or its authorization server has, and nothing inside: every address is checked, each hop's too, as redirects
 * are never followed here, and no answer goes on for ever.
 */
export function guardedFetch(env: Env, { maxBytes, onTooLarge, ownHost }: Bounds): Fetch {
  const checked = new Map<string, Promise<void>>();
  let bytes = 0;
  const count = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= maxBytes) return controller.enqueue(chunk);
        const error = new McpError("too_large", `The server's answer is larger than ${Math.round(maxBytes / 1_048_576)} MB.`);
        onTooLarge(error);
        controller.error(error);
      },
    });
  return async (given, init) => {
    const url = new URL(given);
    const known = checked.get(url.origin) ?? checkAddress(env, url, ownHost);
    checked.set(url.origin, known);
    await known;
    // A server's own words go into both: its addresses, the name of a session, what its tools want in headers.
    if (isTooLong(url, init)) throw new McpError("refused", "The address or the headers of a request to this server would be too long.");
    const response = await egressFetch(url, init);
    if (!response.body) return response;
    const body = response.body.pipeThrough(count());
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

/** Refuses an address that is no public https one, and those of the zone that the deployment was asked by; http on this machine passes where developers work. Throws `McpError`. */
export async function checkAddress(env: Env, url: URL, ownHost?: string): Promise<void> {
  if (url.username !== "" || url.password !== "") throw new McpError("address", "The server URL must not hold a name or a password.");
  if (configOf(env).takesLocalServers && LOCAL_HOSTS.has(url.hostname)) return;
  if (url.protocol !== "https:") throw new McpError("address", "The server URL must begin with https://.");
  // Another port than the usual one is no reason to distrust a server.
  const host = publicUrl(`https://${url.hostname}/`);
  const isAllowed = host !== null && !isOwnZone(env, url.hostname, ownHost) && (await isPublic(env, url.hostname));
  if (!isAllowed) throw new McpError("address", "This is not an address of the public web.");
}

async function isPublic(env: Env, hostname: string): Promise<boolean> {
  try {
    return await resolvesPublicly(env, hostname, AbortSignal.timeout(DNS_TIMEOUT_MS));
  } catch (cause) {
    throw new McpError("unreachable", "The server's address could not be looked up.", cause);
  }
}
