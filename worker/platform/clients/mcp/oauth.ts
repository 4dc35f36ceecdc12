/** Signing in at an MCP server's authorization server (RFC 9728, 8414, 7591, 7636, 8707, 9207), as far as its messages go: whose it is stands elsewhere. */
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { ERRORS } from "#shared/errors.ts";
import type { Env } from "#worker/platform/env.ts";
import { isTooLong } from "../egress.ts";
import { checkAddress, guardedFetch } from "./guarded-fetch.ts";
import { McpError } from "./mcp-error.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** By their names, so that the rest of the package is no part of the Worker. */
const protocol = loadOnce(async () => {
  const { auth, extractWWWAuthenticateParams, refreshAuthorization } = await import("@modelcontextprotocol/client");
  return { auth, extractWWWAuthenticateParams, refreshAuthorization };
});

const ANSWER_BYTES = 1_048_576;
/** The longest that each request takes, in milliseconds. */
const REQUEST_MS = 10_000;

/** The longest access token, client ID and client secret, in characters: as long as what a person may enter. */
const TOKEN_LENGTH = 8_000;

/** What the client has to remember between two steps and for later: all of it is secret. */
export type OAuthMemory = {
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
  /** When the access token ends, in epoch milliseconds; undefined where nobody said. */
  expiresAt?: number | undefined;
  discovery?: OAuthDiscoveryState | undefined;
  /** What the next sign-in asks for, as the server refused a call without it. */
  wanted?: string | undefined;
};

const Stored = z.object({
  client: z.optional(z.looseObject({ client_id: z.string() })),
  tokens: z.optional(z.looseObject({ access_token: z.string(), token_type: z.string() })),
  expiresAt: z.optional(z.number()),
  discovery: z.optional(z.looseObject({ authorizationServerUrl: z.string() })),
  wanted: z.optional(z.string()),
});

export function parseMemory(stored: unknown): OAuthMemory {
  return Stored.parse(stored ?? {});
}

/** Who this deployment is to authorization servers: where they return to, and where its client ID metadata document lies. */
export type OwnClient = { redirectUrl: string; documentUrl: string; origin: string };

/** What this deployment says of itself to authorization servers. */
export function clientMetadata({ redirectUrl, origin }: OwnClient) {
  return {
    client_name: APP_NAME,
    client_uri: origin,
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none" as const,
  };
}

/** A client that a person registered at the server themselves; null where this deployment registers by itself. */
type RegisteredClient = { client_id: string; client_secret?: string | undefined } | null;

type Asked = { env: Env; serverUrl: string; own: OwnClient; registered: RegisteredClient; memory: OAuthMemory };

/** Begins: the address to send the browser to, and what has to be remembered until it returns. Throws `McpError`. */
export async function beginAuthorization(asked: Asked, state: string): Promise<{ url: string; memory: OAuthMemory; verifier: string }> {
  const { env, serverUrl, memory: held } = asked;
  const { auth, extractWWWAuthenticateParams } = await protocol();
  // Who is registered there stays so; where that is is found out again.
  const open = openProvider(
    { ...asked, memory: { client: held.client, tokens: held.tokens, expiresAt: held.expiresAt } },
    { state, verifier: "" },
  );
  const fetchFn = boundedFetch(env, asked.own);
  try {
    const challenge = extractWWWAuthenticateParams(await probe(fetchFn, serverUrl));
    const scope = joinedScopes(challenge.scope, held.tokens?.scope, held.wanted);
    await auth(open.provider, {
      serverUrl,
      fetchFn,
      forceReauthorization: true,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    });
  } catch (error) {
    throw explain(error, asked.registered);
  }
  const { url, memory, verifier } = open.brought();
  if (url === null) throw new McpError("refused", "The server did not say where to sign in.");
  // A server that does not know PKCE would take a stolen code for its owner's.
  const methods = memory.discovery?.authorizationServerMetadata?.code_challenge_methods_supported ?? [];
  if (!methods.includes("S256")) throw new McpError("refused", NO_PKCE);
  // The browser goes there: nothing but a page of the web will do.
  await checkAddress(env, url, hostOf(asked.own));
  if (isTooLong(url)) throw new McpError("refused", "The address where this server signs people in is too long.");
  return { url: url.href, memory, verifier };
}

/** Finishes with what the browser brought back. Throws `McpError`. */
export async function finishAuthorization(
  asked: Asked,
  { verifier, code, iss }: { verifier: string; code: string; iss: string | undefined },
): Promise<OAuthMemory> {
  const { auth } = await protocol();
  const open = openProvider(asked, { state: "", verifier });
  try {
    await auth(open.provider, {
      serverUrl: asked.serverUrl,
      authorizationCode: code,
      fetchFn: boundedFetch(asked.env, asked.own),
      ...(iss !== undefined && { iss }),
    });
  } catch (error) {
    throw explain(error, asked.registered);
  }
  return withinLength(open.brought().memory);
}

/** What is to be remembered, unless a request could not be sent with it. Throws `McpError`. */
function withinLength(memory: OAuthMemory): OAuthMemory {
  const sent = [memory.tokens?.access_token, memory.client?.client_id, memory.client?.client_secret];
  if (sent.some((value) => (value?.length ?? 0) > TOKEN_LENGTH)) throw new McpError("sign_in", TOO_LONG);
  return memory;
}

/** What is left to remember once a server has forgotten the client: all but the client and what it was given, so the next sign-in registers anew. */
export function withoutClient({ discovery, wanted }: OAuthMemory): OAuthMemory {
  return { discovery, wanted };
}

/**
 * New tokens for the refresh token. Throws `McpError`: `sign_in` where the authorization is over, `forgotten` where the client is unknown
 * that this deployment registered, `unreachable` where the answer is unknown.
 */
export async function renewTokens(env: Env, memory: OAuthMemory, registered: RegisteredClient): Promise<OAuthMemory> {
  const { client, tokens, discovery } = memory;
  if (!client || !tokens?.refresh_token || !discovery) throw new McpError("sign_in", "The server requires authorization.");
  const { refreshAuthorization } = await protocol();
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = discovery;
  try {
    const renewed = await refreshAuthorization(authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(resourceMetadata && { resource: resourceMetadata.resource }),
      fetchFn: boundedFetch(env),
    });
    return withinLength({ ...memory, tokens: { ...tokens, ...renewed }, expiresAt: endOf(renewed.expires_in) });
  } catch (error) {
    throw explain(error, registered);
  }
}

/** All scopes of several lists; where a server wants more than was given, what was given stays asked for. */
function joinedScopes(usual: string | undefined, given: string | undefined, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return usual;
  return [...new Set([usual, given, wanted].flatMap((scopes) => scopes?.split(" ") ?? []).filter(Boolean))].join(" ");
}

type Fetch = ReturnType<typeof guardedFetch>;

/** Where nobody says whom this is asked for, the addresses were checked when the sign-in began. */
function boundedFetch(env: Env, own?: OwnClient): Fetch {
  const bounds = { maxBytes: ANSWER_BYTES, onTooLarge: () => undefined };
  const fetchFn = guardedFetch(env, own ? { ...bounds, ownHost: hostOf(own) } : bounds);
  return (url, init) => {
    const limit = AbortSignal.timeout(REQUEST_MS);
    return fetchFn(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
  };
}

/** What a server says that nobody has signed in to. */
async function probe(fetchFn: Fetch, serverUrl: string): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetchFn(serverUrl, { method: "POST", headers, body });
  await response.body?.cancel();
  return response;
}

function openProvider({ own, registered, memory: given }: Asked, { state, verifier: held }: { state: string; verifier: string }) {
  const memory = { ...given };
  let verifier = held;
  let url: URL | null = null;
  const provider: OAuthClientProvider = {
    redirectUrl: own.redirectUrl,
    // Authorization servers read the document over https alone.
    ...(own.documentUrl.startsWith("https:") && { clientMetadataUrl: own.documentUrl }),
    clientMetadata: clientMetadata(own),
    state: () => state,
    clientInformation(place) {
      // Its secret goes to that authorization server alone to which it went first.
      if (registered) memory.client ??= { ...registered, ...(place && { issuer: place.issuer }) };
      return memory.client;
    },
    ...(registered === null && {
      saveClientInformation(client: StoredOAuthClientInformation) {
        memory.client = client;
      },
    }),
    tokens: () => memory.tokens,
    saveTokens(tokens) {
      memory.tokens = tokens;
      memory.expiresAt = endOf(tokens.expires_in);
    },
    redirectToAuthorization(address) {
      url = address;
    },
    saveCodeVerifier(made) {
      verifier = made;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(discovery) {
      memory.discovery = discovery;
    },
    discoveryState: () => memory.discovery,
  };
  const collected = (): { url: URL | null; memory: OAuthMemory; verifier: string } => ({ url, memory, verifier });
  return { provider, brought: collected };
}

function hostOf({ origin }: OwnClient): string {
  return new URL(origin).hostname;
}

function endOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Date.now() + seconds * 1_000;
}

/** Codes of RFC 6749 after which only a person's word helps. */
const OVER = new Set(["invalid_grant", "access_denied", "insufficient_scope"]);
/** Those of a server that does not know, or does not want, the client that was registered there. */
const FORGOTTEN = new Set(["invalid_client", "unauthorized_client"]);

function explain(error: unknown, registered: RegisteredClient): McpError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof McpError) return cause;
  }
  if (!(error instanceof Error)) return new McpError("unreachable", UNREACHABLE, error);
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && FORGOTTEN.has(code)) {
    if (registered) return new McpError("sign_in", NOT_ACCEPTED, error);
    return new McpError("forgotten", "The server does not know this client any more. Sign in again.", error);
  }
  if (typeof code === "string" && OVER.has(code)) return new McpError("sign_in", "The authorization is over. Sign in again.", error);
  // One that fails at it may register somebody the next time.
  if (/dynamic client registration(?! rejected \(HTTP 5)/i.test(error.message)) {
    return new McpError("client", ERRORS.MCP_CLIENT_REQUIRED.message, error);
  }
  if (/code challenge|S256/i.test(error.message)) return new McpError("refused", NO_PKCE, error);
  if (/issuer|resource|mismatch/i.test(`${error.name} ${error.message}`)) {
    return new McpError("refused", UNTRUSTWORTHY, error);
  }
  return new McpError("unreachable", UNREACHABLE, error);
}

const NOT_ACCEPTED =
  "The server does not accept this client ID and secret. Check them, and that this app's redirect address is entered there.";
const UNTRUSTWORTHY = "The server's authorization is not trustworthy: what it says of itself does not fit together.";
const NO_PKCE =
  "The server's authorization does not offer PKCE with S256, without which somebody else could use a sign-in. Ask it for a token and connect with that.";
const TOO_LONG = `The server gave an access token or a client of more than ${TOKEN_LENGTH.toLocaleString("en")} characters, which is not taken.`;
const UNREACHABLE = "The server's authorization could not be reached.";
