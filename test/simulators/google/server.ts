import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { sendJson, startServer, untilGone, type Exchange, type Simulator } from "../simulator.ts";
import { sendPage } from "../page.ts";
import { escapeHtml } from "../escape-html.ts";
import { accounts, sendConsentPage } from "./consent-page.ts";
import { createGrants, redeemCode } from "./exchange.ts";
import { createSigner, googleFaults, type GoogleFault, type Person } from "./tokens.ts";

export type GoogleOptions = {
  port?: number;
  clientId?: string;
  clientSecret?: string;
  /** The `iss` of its tokens; its own address when absent. */
  issuer?: string;
  /** Signs the first account in without showing the page. */
  autoApprove?: boolean;
  fault?: GoogleFault;
};

/** The stand-in for Google's sign-in, and how to make it fail. */
export type GoogleSimulator = Simulator & { setFault(fault: GoogleFault | null): void };

/** The client that the simulator knows unless told otherwise. */
export const DEFAULT_CLIENT = { id: "simulated.apps.googleusercontent.com", secret: "simulated" } as const;

const Control = z.strictObject({ fault: z.enum(googleFaults).nullish(), autoApprove: z.boolean().optional() });

const Authorization = z.looseObject({
  client_id: z.string(),
  redirect_uri: z.url(),
  response_type: z.literal("code"),
  scope: z.string().refine((scope) => scope.split(" ").includes("openid"), "openid is missing"),
  state: z.string().optional(),
  nonce: z.string().optional(),
  code_challenge: z.string().min(43).optional(),
  code_challenge_method: z.literal("S256").optional(),
  login_hint: z.string().optional(),
  auto: z.string().optional(),
  decision: z.enum(["allow", "deny"]).optional(),
  email: z.email().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
  fault: z.enum(googleFaults).optional(),
});

/** A transparent pixel. */
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==", "base64");

/** Starts the stand-in for Google's sign-in on loopback. */
export async function startGoogle(options: GoogleOptions = {}): Promise<GoogleSimulator> {
  const client = { id: options.clientId ?? DEFAULT_CLIENT.id, secret: options.clientSecret ?? DEFAULT_CLIENT.secret };
  const grants = createGrants();
  const signer = await createSigner();
  let fault = options.fault ?? null;
  let isAutomatic = options.autoApprove ?? false;
  let ownUrl = "";
  const issuer = () => options.issuer ?? ownUrl;

  function authorize({ url, response }: Exchange, isDecided: boolean): void {
    const parsed = Authorization.safeParse(Object.fromEntries(url.searchParams));
    if (!parsed.success) return sendRefusalPage(response, "invalid_request", z.prettifyError(parsed.error));
    const query = parsed.data;
    if (query.client_id !== client.id) return sendRefusalPage(response, "invalid_client", "The OAuth client was not found.");
    const isChosen = isDecided || isAutomatic || query.auto === "1" || query.login_hint !== undefined;
    if (!isChosen) return sendConsentPage(response, url.searchParams);
    const target = new URL(query.redirect_uri);
    if (query.state !== undefined) target.searchParams.set("state", query.state);
    if (query.decision === "deny") target.searchParams.set("error", "access_denied");
    else {
      const grant = {
        person: personOf(query),
        clientId: client.id,
        redirectUri: query.redirect_uri,
        nonce: query.nonce ?? null,
        challenge: query.code_challenge ?? null,
        scope: query.scope,
        fault: query.fault ?? null,
      };
      target.searchParams.set("code", grants.issue(grant));
      target.searchParams.set("scope", grantedScope(query.scope));
      target.searchParams.set("authuser", "0");
      target.searchParams.set("prompt", "consent");
    }
    response.writeHead(302, { Location: target.href, "Cache-Control": "no-store" }).end();
  }

  async function exchange({ record, response, gone }: Exchange): Promise<void> {
    const redeemed = redeemCode(grants, record.body, client);
    const held = ("grant" in redeemed ? redeemed.grant.fault : null) ?? fault;
    if (held === "token-hang") return untilGone(gone);
    if (held === "token-500") return sendJson(response, 500, { error: "internal_failure" });
    if (held === "token-html")
      return void response.writeHead(502, { "Content-Type": "text/html" }).end("<html><body>Error 502</body></html>");
    const forced =
      held === "invalid-grant"
        ? { status: 400, error: "invalid_grant", description: "Bad Request" }
        : held === "invalid-client"
          ? { status: 401, error: "invalid_client", description: "Unauthorized" }
          : null;
    const refusal = forced ?? ("refusal" in redeemed ? redeemed.refusal : null);
    if (refusal !== null || "refusal" in redeemed) {
      return sendJson(response, refusal?.status ?? 400, { error: refusal?.error, error_description: refusal?.description });
    }
    const { grant } = redeemed;
    const idToken = await signer.sign({ person: grant.person, clientId: client.id, issuer: issuer(), nonce: grant.nonce, fault: held });
    sendJson(response, 200, {
      access_token: `ya29.${randomBytes(32).toString("base64url")}`,
      expires_in: 3599,
      scope: grantedScope(grant.scope),
      token_type: "Bearer",
      ...(held === "no-id-token" ? {} : { id_token: idToken }),
    });
  }

  const simulator = await startServer({
    name: "google",
    port: options.port,
    routes: {
      "GET /.well-known/openid-configuration": ({ response }) => sendJson(response, 200, discovery(issuer(), ownUrl)),
      "GET /o/oauth2/v2/auth": (request) => authorize(request, false),
      "GET /o/oauth2/v2/auth/decide": (request) => authorize(request, true),
      "POST /token": exchange,
      "GET /picture.png": ({ response }) => void response.writeHead(200, { "Content-Type": "image/png" }).end(PICTURE),
      "GET /oauth2/v3/certs": ({ response, url }) =>
        (url.searchParams.get("fault") ?? fault) === "certs-500"
          ? sendJson(response, 500, { error: "internal_failure" })
          : sendJson(response, 200, signer.jwks, { "Cache-Control": "public, max-age=19845, must-revalidate, no-transform" }),
    },
    control: {
      "POST /control": ({ record, response }) => {
        const parsed = Control.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { error: z.prettifyError(parsed.error) });
        if (parsed.data.fault !== undefined) fault = parsed.data.fault;
        isAutomatic = parsed.data.autoApprove ?? isAutomatic;
        sendJson(response, 200, { fault, autoApprove: isAutomatic });
      },
    },
  });
  ownUrl = simulator.url;
  return {
    ...simulator,
    setFault(next) {
      fault = next;
    },
  };
}

function personOf(query: z.infer<typeof Authorization>): Person {
  const email = query.email ?? (query.login_hint?.includes("@") ? query.login_hint : undefined);
  const known = accounts.find((account) => account.email === email);
  const [first = { email: "", name: "" }] = accounts;
  return email === undefined
    ? first
    : { email, name: query.name?.trim() || known?.name || (email.split("@")[0] ?? email), picture: query.picture };
}

/** Google names two scopes by their long names in its answers. */
function grantedScope(scope: string): string {
  const long = (name: string) => (name === "email" || name === "profile" ? `https://www.googleapis.com/auth/userinfo.${name}` : name);
  return scope.split(" ").map(long).toReversed().join(" ");
}

function sendRefusalPage(response: ServerResponse, error: string, description: string): void {
  sendPage(response, {
    status: 400,
    title: "Error 400",
    body: `<h1>Access blocked</h1><p>Error 400: ${escapeHtml(error)}</p><p class="quiet">${escapeHtml(description)}</p>`,
  });
}

function discovery(issuer: string, base: string) {
  return {
    issuer,
    authorization_endpoint: `${base}/o/oauth2/v2/auth`,
    token_endpoint: `${base}/token`,
    jwks_uri: `${base}/oauth2/v3/certs`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "profile"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code"],
  };
}
