/** An MCP server behind an authorization server of its own: discovery, registration, PKCE, rotating refresh tokens. */
import { createHash, randomUUID } from "node:crypto";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { sendJson, type Exchange, type Handler } from "../simulator.ts";
import { answerByFetch } from "./fetch-style.ts";

/** What the vault does otherwise than it should, until it is set to stop. */
export type VaultFault = "wrong-issuer" | "wrong-resource" | "no-pkce" | "inward" | "script" | "token-500" | "no-registration" | null;

type Grant = { client: string; challenge: string; redirect: string; resource: string };

export type Vault = {
  routes: Record<string, Handler>;
  control: Record<string, Handler>;
};

const SHORT_S = 30;
const LONG_S = 3_600;

/** Opens the vault; tokens end after an hour, or at once where it was set so. */
export function openVault(): Vault {
  let fault: VaultFault = null;
  let isShort = false;
  let refreshes = 0;
  const clients = new Set<string>();
  const codes = new Map<string, Grant>();
  const access = new Set<string>();
  const refresh = new Set<string>();

  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "vault", version: "1.0.0" });
    server.registerTool("open_vault", { description: "Opens the vault", annotations: { readOnlyHint: true } }, async () => ({
      content: [{ type: "text", text: "There is gold in it." }],
    }));
    return server;
  });

  const originOf = ({ request }: Exchange) => `http://${request.headers.host}`;
  const issuerOf = (exchange: Exchange) => `${originOf(exchange)}/vault/as`;
  const resourceOf = (exchange: Exchange) => `${originOf(exchange)}/vault/mcp`;

  async function serve(exchange: Exchange): Promise<void> {
    const token = exchange.request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (access.has(token)) return answerByFetch(exchange, (request) => handler.fetch(request));
    const metadata = `${originOf(exchange)}/.well-known/oauth-protected-resource/vault/mcp`;
    exchange.response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="vault"` });
    exchange.response.end();
  }

  function describe(exchange: Exchange): void {
    const issuer = issuerOf(exchange);
    const elsewhere = { inward: "http://169.254.169.254/authorize", script: "javascript:alert(1)//" }[String(fault)];
    sendJson(exchange.response, 200, {
      issuer: fault === "wrong-issuer" ? "https://evil.example" : issuer,
      authorization_endpoint: elsewhere ?? `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...(fault !== "no-registration" && { registration_endpoint: `${issuer}/register` }),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
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
    const { client_id: client = "", code_challenge: challenge = "", redirect_uri: redirect = "", resource = "", state = "" } = query;
    if (!clients.has(client) || challenge === "" || resource !== resourceOf(exchange))
      return sendJson(exchange.response, 400, { error: "invalid_request" });
    const code = randomUUID();
    codes.set(code, { client, challenge, redirect, resource });
    const back = new URL(redirect);
    for (const [name, value] of Object.entries({ code, state, iss: issuerOf(exchange) })) back.searchParams.set(name, value);
    exchange.response.writeHead(302, { location: back.href });
    exchange.response.end();
  }

  function issue({ response }: Exchange): void {
    const [token, next] = [randomUUID(), randomUUID()];
    access.add(token);
    refresh.add(next);
    sendJson(response, 200, {
      access_token: token,
      token_type: "Bearer",
      expires_in: isShort ? SHORT_S : LONG_S,
      refresh_token: next,
      scope: "vault",
    });
  }

  function giveTokens(exchange: Exchange): void {
    const { response, record } = exchange;
    const asked = new URLSearchParams(Object.entries(Object(record.body)).map(([name, value]) => [name, String(value)]));
    const refuse = () => sendJson(response, 400, { error: "invalid_grant" });
    if (fault === "token-500") return sendJson(response, 500, {});
    if (!clients.has(asked.get("client_id") ?? "")) return sendJson(response, 401, { error: "invalid_client" });
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
    const isSound =
      grant?.challenge === challenge && grant.client === asked.get("client_id") && grant.redirect === asked.get("redirect_uri");
    return isSound ? issue(exchange) : refuse();
  }

  return {
    routes: {
      ...Object.fromEntries(["POST", "GET", "DELETE"].map((method) => [`${method} /vault/mcp`, serve])),
      "GET /.well-known/oauth-protected-resource/vault/mcp": (exchange) =>
        sendJson(exchange.response, 200, {
          resource: fault === "wrong-resource" ? "https://evil.example/mcp" : resourceOf(exchange),
          authorization_servers: [issuerOf(exchange)],
        }),
      "GET /.well-known/oauth-authorization-server/vault/as": describe,
      "POST /vault/as/register": register,
      "GET /vault/as/authorize": authorize,
      "POST /vault/as/token": giveTokens,
    },
    control: {
      /** Sets faults, shortens tokens' lives, takes back tokens, and forgets clients: `{ fault, short, revoke: "access" | "all", forget }`. */
      "POST /control/vault": ({ response, record }) => {
        const asked: { fault?: VaultFault; short?: boolean; revoke?: "access" | "all"; forget?: boolean } = Object(record.body);
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
