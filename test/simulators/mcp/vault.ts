/** MCP servers behind an authorization server of their own: discovery, registration or clients that are known from the start, PKCE, rotating refresh tokens. */
import { createHash, randomUUID } from "node:crypto";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { sendJson, type Exchange, type Handler } from "../simulator.ts";
import { answerByFetch } from "./fetch-style.ts";

/** What the vault does otherwise than it should, until it is set to stop. */
export type VaultFault =
  | "wrong-issuer"
  | "wrong-resource"
  | "no-pkce"
  | "inward"
  | "script"
  | "token-500"
  | "no-registration"
  | "narrow"
  | "other-issuer"
  | "long-token"
  | "long-address"
  | null;

type Grant = { client: string; challenge: string; redirect: string; resource: string; scope: string };

export type Vault = {
  routes: Record<string, Handler>;
  control: Record<string, Handler>;
};

/** A client that is known from the start, with its secret, and the only way in which it proves itself. */
type KnownClient = { secret: string | null; method: "none" | "client_secret_basic" | "client_secret_post" };

/** Of each kind one, at a server that registers nobody. */
const GUILD: Record<string, KnownClient> = {
  "guild-public": { secret: null, method: "none" },
  "guild-basic": { secret: "basic secret", method: "client_secret_basic" },
  "guild-post": { secret: "post secret", method: "client_secret_post" },
};

const SHORT_S = 30;
const LONG_S = 3_600;
/** Longer than any token, and within what a server reads of headers. */
const LONG_LENGTH = 8_000;

/** Opens the vault, and the guild beside it, which registers nobody; tokens end after an hour, or at once where it was set so. */
export function openVaults(): Vault {
  const [vault, guild] = [openVault("vault", null), openVault("guild", GUILD)];
  return { routes: { ...vault.routes, ...guild.routes }, control: { ...vault.control, ...guild.control } };
}

function openVault(place: string, known: Record<string, KnownClient> | null): Vault {
  let fault: VaultFault = null;
  let isShort = false;
  let refreshes = 0;
  /** The only client that is known now, where some are known from the start: what its server says of itself is about that one. */
  let member = "guild-basic";
  const clients = new Set<string>(Object.keys(known ?? {}));
  const codes = new Map<string, Grant>();
  /** What each token is good for. */
  const access = new Map<string, string>();
  const refresh = new Set<string>();

  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: place, version: "1.0.0" });
    server.registerTool("open_vault", { description: "Opens the vault", annotations: { readOnlyHint: true } }, async () => ({
      content: [{ type: "text", text: "There is gold in it." }],
    }));
    return server;
  });

  const originOf = ({ request }: Exchange) => `http://${request.headers.host}`;
  const issuerOf = (exchange: Exchange) => `${originOf(exchange)}/${place}/as`;
  const resourceOf = (exchange: Exchange) => `${originOf(exchange)}/${place}/mcp`;

  async function serve(exchange: Exchange): Promise<void> {
    const token = exchange.request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const isCall = Object(exchange.record.body).method === "tools/call";
    if (fault === "narrow" && isCall && access.get(token)?.split(" ").includes("gold") === false) {
      exchange.response.writeHead(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="gold"' });
      return void exchange.response.end();
    }
    if (access.has(token)) return answerByFetch(exchange, (request) => handler.fetch(request));
    const metadata = `${originOf(exchange)}/.well-known/oauth-protected-resource/${place}/mcp`;
    exchange.response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="vault"` });
    exchange.response.end();
  }

  function describe(exchange: Exchange): void {
    const issuer = issuerOf(exchange);
    const long = `${issuer}/authorize?${"to=here&".repeat(1_200)}`;
    const elsewhere = { "long-address": long, inward: "http://169.254.169.254/authorize", script: "javascript:alert(1)//" }[String(fault)];
    sendJson(exchange.response, 200, {
      issuer: fault === "wrong-issuer" ? "https://evil.example" : issuer,
      authorization_endpoint: elsewhere ?? `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...(known === null && fault !== "no-registration" && { registration_endpoint: `${issuer}/register` }),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: [known?.[member]?.method ?? "none"],
      ...(fault !== "no-pkce" && { code_challenge_methods_supported: ["S256"] }),
      authorization_response_iss_parameter_supported: true,
    });
  }

  function register({ response, record }: Exchange): void {
    const client = randomUUID();
    clients.add(client);
    sendJson(response, 201, { ...Object(record.body), client_id: client });
  }

  function authorize(exchange: Exchange): void {
    const { query } = exchange.record;
    const {
      client_id: client = "",
      code_challenge: challenge = "",
      redirect_uri: redirect = "",
      resource = "",
      state = "",
      scope = "",
    } = query;
    if (!clients.has(client) || challenge === "" || resource !== resourceOf(exchange))
      return sendJson(exchange.response, 400, { error: "invalid_request" });
    const code = randomUUID();
    codes.set(code, { client, challenge, redirect, resource, scope });
    const back = new URL(redirect);
    for (const [name, value] of Object.entries({ code, state, iss: issuerOf(exchange) })) back.searchParams.set(name, value);
    exchange.response.writeHead(302, { location: back.href });
    exchange.response.end();
  }

  function issue({ response }: Exchange, scope = "vault"): void {
    const [token, next] = [`${randomUUID()}${fault === "long-token" ? "0".repeat(LONG_LENGTH) : ""}`, randomUUID()];
    access.set(token, scope);
    refresh.add(next);
    sendJson(response, 200, {
      access_token: token,
      token_type: "Bearer",
      expires_in: isShort ? SHORT_S : LONG_S,
      refresh_token: next,
      scope,
    });
  }

  /** Who asks, proven in the one way that the client has; null where it is not. */
  function provenClient({ request }: Exchange, asked: URLSearchParams): string | null {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const [id = "", secret = null] = basic ? atob(basic).split(":") : [asked.get("client_id") ?? "", asked.get("client_secret")];
    const method = basic ? "client_secret_basic" : secret === null ? "none" : "client_secret_post";
    const expected = known === null ? { secret: null, method: "none" } : known[id];
    return clients.has(id) && expected?.method === method && expected.secret === secret ? id : null;
  }

  function giveTokens(exchange: Exchange): void {
    const { response, record } = exchange;
    const asked = new URLSearchParams(Object.entries(Object(record.body)).map(([name, value]) => [name, String(value)]));
    const refuse = () => sendJson(response, 400, { error: "invalid_grant" });
    if (fault === "token-500") return sendJson(response, 500, {});
    const client = provenClient(exchange, asked);
    if (client === null) return sendJson(response, 401, { error: "invalid_client" });
    if (asked.get("resource") !== resourceOf(exchange)) return sendJson(response, 400, { error: "invalid_target" });
    if (asked.get("grant_type") === "refresh_token") {
      refreshes += 1;
      // Each is good once.
      return refresh.delete(asked.get("refresh_token") ?? "") ? issue(exchange) : refuse();
    }
    const code = asked.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    const isSound = grant?.challenge === challenge && grant.client === client && grant.redirect === asked.get("redirect_uri");
    return isSound ? issue(exchange, grant.scope) : refuse();
  }

  return {
    routes: {
      ...Object.fromEntries(["POST", "GET", "DELETE"].map((method) => [`${method} /${place}/mcp`, serve])),
      [`GET /.well-known/oauth-protected-resource/${place}/mcp`]: (exchange) =>
        sendJson(exchange.response, 200, {
          resource: fault === "wrong-resource" ? "https://evil.example/mcp" : resourceOf(exchange),
          // The vault's is as good as any other.
          authorization_servers: [fault === "other-issuer" ? `${originOf(exchange)}/vault/as` : issuerOf(exchange)],
        }),
      [`GET /.well-known/oauth-authorization-server/${place}/as`]: describe,
      ...(known === null && { [`POST /${place}/as/register`]: register }),
      [`GET /${place}/as/authorize`]: authorize,
      [`POST /${place}/as/token`]: giveTokens,
    },
    control: {
      /**
       * Sets faults, shortens tokens' lives, takes back tokens, forgets clients, and says of which of those known from the start it speaks:
       * `{ fault, short, revoke: "access" | "all", forget, member }`.
       */
      [`POST /control/${place}`]: ({ response, record }) => {
        const asked: { fault?: VaultFault; short?: boolean; revoke?: "access" | "all"; forget?: boolean; member?: string } = Object(
          record.body,
        );
        if (asked.member !== undefined) member = asked.member;
        if (asked.fault !== undefined) fault = asked.fault;
        if (asked.short !== undefined) isShort = asked.short;
        if (asked.forget) clients.clear();
        if (asked.revoke) access.clear();
        if (asked.revoke === "all") refresh.clear();
        sendJson(response, 200, { refreshes });
      },
    },
  };
}
