import type { ServerResponse } from "node:http";
import * as z from "zod";
import { driveRoutes } from "../google-drive/routes.ts";
import { sendJson, startServer, untilDisconnected, type Exchange, type Simulator } from "../simulator.ts";
import { sendPage } from "../page.ts";
import { escapeHtml } from "../escape-html.ts";
import { accounts, sendConsentPage } from "./consent-page.ts";
import { createCodes, readRefresh, redeemCode } from "./exchange.ts";
import { gmailRoutes } from "../google-gmail/routes.ts";
import { createGranted, refreshFaults } from "./granted.ts";
import { createSigner, googleFaults, type GoogleFault, type Person } from "./tokens.ts";
import { defineService } from "../definition.ts";

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

/** The client that the simulator knows by default. */
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
  prompt: z.string().optional(),
  max_age: z.coerce.number().optional(),
  claims: z.string().optional(),
  auto: z.string().optional(),
  decision: z.enum(["allow", "deny"]).optional(),
  email: z.email().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
  /** The domain that manages the account, empty for none: the address's own unless given. */
  hosted: z.string().optional(),
  fault: z.enum(googleFaults).optional(),
  access_type: z.enum(["online", "offline"]).optional(),
  include_granted_scopes: z.enum(["true", "false"]).optional(),
  /** `1` where the page's boxes say what is granted. */
  boxes: z.string().optional(),
});

const Change = z.strictObject({
  email: z.email(),
  do: z.enum(["expire", "revoke"]).optional(),
  lastsS: z.number().optional(),
  fault: z.enum(refreshFaults).nullish(),
});

const Revocation = z.object({ token: z.string() });

/** A transparent pixel. */
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==", "base64");

/** Starts the stand-in for Google's sign-in on loopback. */
export async function startGoogle(options: GoogleOptions = {}): Promise<GoogleSimulator> {
  const client = { id: options.clientId ?? DEFAULT_CLIENT.id, secret: options.clientSecret ?? DEFAULT_CLIENT.secret };
  const codes = createCodes();
  const granted = createGranted();
  const readToken = (token: string) => {
    const read = granted.read(token);
    return read && { email: read.person.email, scopes: [...read.scopes] };
  };
  const gmail = gmailRoutes(readToken);
  const signer = await createSigner();
  /** When each person signed in here, in epoch seconds: one press is enough from then on, unless somebody asks for less than that age. */
  const signedIn = new Map<string, number>();
  const authTimeOf = (person: Person, { max_age: maxAge, claims }: z.infer<typeof Authorization>) => {
    const now = Math.floor(Date.now() / 1000);
    const known = signedIn.get(person.email) ?? now;
    const at = maxAge !== undefined && now - known >= maxAge ? now : known;
    signedIn.set(person.email, at);
    return maxAge !== undefined || claims?.includes("auth_time") === true ? at : null;
  };
  let fault = options.fault ?? null;
  let isAutomatic = options.autoApprove ?? false;
  let ownUrl = "";
  const issuer = () => options.issuer ?? ownUrl;

  function authorize({ url, response }: Exchange, isDecided: boolean): void {
    const parsed = Authorization.safeParse(Object.fromEntries(url.searchParams));
    if (!parsed.success) return sendRefusalPage(response, "invalid_request", z.prettifyError(parsed.error));
    const query = parsed.data;
    if (query.client_id !== client.id) return sendRefusalPage(response, "invalid_client", "The OAuth client was not found.");
    const isChosen = isDecided || isAutomatic || query.auto === "1" || isKnown(query);
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
        authTime: authTimeOf(personOf(query), query),
        challenge: query.code_challenge ?? null,
        scope: grantedScope(query.boxes === "1" ? tickedScopes(query.scope, url.searchParams) : query.scope),
        isOffline: query.access_type === "offline",
        addsEarlier: query.include_granted_scopes === "true",
        fault: query.fault ?? null,
      };
      target.searchParams.set("code", codes.issue(grant));
      target.searchParams.set("scope", grant.scope);
      target.searchParams.set("authuser", "0");
      target.searchParams.set("prompt", "consent");
    }
    response.writeHead(302, { Location: target.href, "Cache-Control": "no-store" }).end();
  }

  /** Who is named is asked nothing where it is only about who they are, or about what they granted before. */
  function isKnown({ login_hint: hint, scope, prompt }: z.infer<typeof Authorization>): boolean {
    if (hint === undefined || prompt === "consent") return false;
    return granted.covers(
      hint,
      scope.split(" ").filter((name) => !IDENTITY.has(name)),
    );
  }

  async function exchange(asked: Exchange): Promise<void> {
    const { record, response, disconnected } = asked;
    const renewal = readRefresh(record.body, client);
    if (renewal) return refresh(asked, renewal);
    const redeemed = redeemCode(codes, record.body, client);
    const activeFault = ("grant" in redeemed ? redeemed.grant.fault : null) ?? fault;
    if (activeFault === "token-hang") return untilDisconnected(disconnected);
    if (activeFault === "token-500") return sendJson(response, 500, { error: "internal_failure" });
    if (activeFault === "token-html")
      return void response.writeHead(502, { "Content-Type": "text/html" }).end("<html><body>Error 502</body></html>");
    const forced =
      activeFault === "invalid-grant"
        ? { status: 400, error: "invalid_grant", description: "Bad Request" }
        : activeFault === "invalid-client"
          ? { status: 401, error: "invalid_client", description: "Unauthorized" }
          : null;
    const refusal = forced ?? ("refusal" in redeemed ? redeemed.refusal : null);
    if (refusal !== null || "refusal" in redeemed) {
      return sendJson(response, refusal?.status ?? 400, { error: refusal?.error, error_description: refusal?.description });
    }
    const { grant } = redeemed;
    const idToken = await signer.sign({
      person: grant.person,
      clientId: client.id,
      issuer: issuer(),
      nonce: grant.nonce,
      authTime: grant.authTime,
      fault: activeFault,
    });
    const { person, isOffline, addsEarlier } = grant;
    sendJson(response, 200, {
      ...granted.consent(person, { scopes: grant.scope.split(" "), isOffline, addsEarlier }),
      ...(activeFault === "no-id-token" ? {} : { id_token: idToken }),
    });
  }

  async function refresh({ response, disconnected }: Exchange, renewal: NonNullable<ReturnType<typeof readRefresh>>): Promise<void> {
    if ("refusal" in renewal) {
      return sendJson(response, renewal.refusal.status, { error: renewal.refusal.error, error_description: renewal.refusal.description });
    }
    const issued = granted.refresh(renewal.token);
    if (issued === "token-hang") return untilDisconnected(disconnected);
    if (issued === "token-500") return sendJson(response, 500, { error: "internal_failure" });
    if (issued === null) {
      return sendJson(response, 400, { error: "invalid_grant", error_description: "Token has been expired or revoked." });
    }
    sendJson(response, 200, issued);
  }

  function revoke({ record, url, response }: Exchange): void {
    const token = Revocation.safeParse(record.body).data?.token ?? url.searchParams.get("token") ?? "";
    if (granted.revoke(token)) return void response.writeHead(200).end();
    sendJson(response, 400, { error: "invalid_token", error_description: "Token expired or revoked" });
  }

  const drive = driveRoutes((token) => {
    const read = granted.read(token);
    return read && { email: read.person.email, scopes: [...read.scopes] };
  });

  const simulator = await startServer({
    name: "google",
    port: options.port,
    fallback: (asked) => (asked.url.pathname.startsWith("/gmail/") ? gmail.fallback(asked) : drive.fallback(asked)),
    routes: {
      ...drive.routes,
      "GET /.well-known/openid-configuration": ({ response }) => sendJson(response, 200, discovery(issuer(), ownUrl)),
      "GET /o/oauth2/v2/auth": (request) => authorize(request, false),
      "GET /o/oauth2/v2/auth/decide": (request) => authorize(request, true),
      "POST /token": exchange,
      "POST /revoke": revoke,
      "GET /picture.png": ({ response }) => void response.writeHead(200, { "Content-Type": "image/png" }).end(PICTURE),
      "GET /oauth2/v3/certs": ({ response, url }) =>
        (url.searchParams.get("fault") ?? fault) === "certs-500"
          ? sendJson(response, 500, { error: "internal_failure" })
          : sendJson(response, 200, signer.jwks, { "Cache-Control": "public, max-age=19845, must-revalidate, no-transform" }),
    },
    control: {
      ...gmail.control,
      ...drive.control,
      "GET /control/grant": ({ url, response }) => sendJson(response, 200, granted.describe(url.searchParams.get("email") ?? "")),
      "POST /control/grant": ({ record, response }) => {
        const parsed = Change.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { error: z.prettifyError(parsed.error) });
        granted.change(parsed.data.email, parsed.data);
        sendJson(response, 200, granted.describe(parsed.data.email));
      },
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
  if (email === undefined) return { ...first, hosted: query.hosted };
  const name = query.name?.trim() || known?.name || (email.split("@")[0] ?? email);
  return { email, name, picture: query.picture, hosted: query.hosted };
}

const IDENTITY = new Set(["openid", "email", "profile"]);

/** What is asked for, without the boxes that were unticked. */
function tickedScopes(scope: string, query: URLSearchParams): string {
  const ticked = new Set(query.getAll("ticked"));
  return scope
    .split(" ")
    .filter((name) => IDENTITY.has(name) || ticked.has(name))
    .join(" ");
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
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: ["openid", "email", "profile"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code"],
  };
}

/** Google: signing in, Gmail and Drive. */
export const google = defineService({
  start: startGoogle,
  vars: (url) => ({
    GOOGLE_CLIENT_ID: "simulated.apps.googleusercontent.com",
    GOOGLE_CLIENT_SECRET: "simulated",
    GOOGLE_AUTH_URL: `${url}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: `${url}/token`,
    GOOGLE_JWKS_URL: `${url}/oauth2/v3/certs`,
    GOOGLE_ISSUER: url,
    GOOGLE_REVOKE_URL: `${url}/revoke`,
    GMAIL: "true",
    GMAIL_URL: url,
    GOOGLE_DRIVE: "true",
    GOOGLE_DRIVE_URL: `${url}/drive/v3`,
    GOOGLE_PICKER_URL: `${url}/js/api.js`,
    GOOGLE_PICKER_KEY: "simulated",
    GOOGLE_PROJECT_NUMBER: "1234567890",
  }),
  realWith: ["GOOGLE_CLIENT_ID"],
  row: {
    title: "Google sign-in",
    simulated: () => "a stand-in with test accounts",
    real: () => "Google",
    makeReal: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET",
  },
});
