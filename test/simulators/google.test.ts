import { createHash, randomBytes } from "node:crypto";
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { DEFAULT_CLIENT, startGoogle, type GoogleSimulator } from "./google/server.ts";
import type { GoogleFault } from "./google/tokens.ts";

let google: GoogleSimulator;

beforeAll(async () => {
  google = await startGoogle();
});
afterAll(() => google.close());
afterEach(() => google.setFault(null));

const redirectUri = "http://localhost:9/auth/google/callback";
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

function authUrl(more: Record<string, string> = {}, path = "/o/oauth2/v2/auth"): string {
  const query = {
    client_id: DEFAULT_CLIENT.id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email profile",
    state: "s1",
    nonce: "n1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  return `${google.url}${path}?${new URLSearchParams(query)}`;
}

async function callbackOf(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: "manual" });
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

async function newCode(more: Record<string, string> = {}): Promise<string> {
  return (await callbackOf(authUrl({ auto: "1", ...more }))).searchParams.get("code") ?? "";
}

function redeem(code: string, more: Record<string, string> = {}): Promise<Response> {
  const body = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: DEFAULT_CLIENT.id,
    client_secret: DEFAULT_CLIENT.secret,
    code_verifier: verifier,
    ...more,
  };
  return fetch(`${google.url}/token`, { method: "POST", body: new URLSearchParams(body) });
}

const Tokens = z.looseObject({
  access_token: z.string(),
  id_token: z.string(),
  scope: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number(),
});

async function verify(idToken: string) {
  const keys = z.custom<JSONWebKeySet>().parse(await (await fetch(`${google.url}/oauth2/v3/certs`)).json());
  return jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: google.url,
    audience: DEFAULT_CLIENT.id,
    algorithms: ["RS256"],
    requiredClaims: ["sub", "email", "exp", "iat"],
  });
}

async function idTokenWith(fault: GoogleFault | null): Promise<string> {
  google.setFault(fault);
  return Tokens.parse(await (await redeem(await newCode())).json()).id_token;
}

test("the page offers two accounts, any other, and Cancel", async () => {
  const page = await (await fetch(authUrl({ state: '"><script>' }))).text();
  expect(page).toContain("Continue as Ines Okafor");
  expect(page).toContain("Continue as Teo Brandt");
  expect(page).toContain('name="email" type="email"');
  expect(page).toContain(">Cancel<");
  expect(page).not.toContain("<script>");
});

test("a signed-in account comes back with state, a code and a verifiable token", async () => {
  const callback = await callbackOf(
    authUrl({ decision: "allow", email: "ada@example.org", name: "Ada Byron" }, "/o/oauth2/v2/auth/decide"),
  );
  expect(callback.searchParams.get("state")).toBe("s1");
  const tokens = Tokens.parse(await (await redeem(callback.searchParams.get("code") ?? "")).json());
  expect(tokens.scope).toContain("https://www.googleapis.com/auth/userinfo.email");
  const { payload } = await verify(tokens.id_token);
  expect(payload).toMatchObject({ nonce: "n1", email: "ada@example.org", email_verified: true, name: "Ada Byron", given_name: "Ada" });
  expect(payload.sub).toMatch(/^\d{21}$/);
});

test("Cancel comes back with access_denied", async () => {
  const callback = await callbackOf(authUrl({ decision: "deny" }, "/o/oauth2/v2/auth/decide"));
  expect(Object.fromEntries(callback.searchParams)).toEqual({ state: "s1", error: "access_denied" });
});

test("login_hint, auto=1 and autoApprove skip the page", async () => {
  const hinted = await callbackOf(authUrl({ login_hint: "teo.brandt@example.com" }));
  const { payload } = await verify(Tokens.parse(await (await redeem(hinted.searchParams.get("code") ?? "")).json()).id_token);
  expect(payload["name"]).toBe("Teo Brandt");
  await fetch(`${google.url}/control`, { method: "POST", body: JSON.stringify({ autoApprove: true }) });
  expect((await callbackOf(authUrl())).searchParams.has("code")).toBe(true);
  await fetch(`${google.url}/control`, { method: "POST", body: JSON.stringify({ autoApprove: false }) });
});

test("a code is good once, for its client, address and verifier", async () => {
  const code = await newCode();
  expect((await redeem(code)).status).toBe(200);
  expect(await (await redeem(code)).json()).toMatchObject({ error: "invalid_grant" });
  const wrong: [Record<string, string>, number, string][] = [
    [{ redirect_uri: "http://localhost:9/other" }, 400, "redirect_uri_mismatch"],
    [{ code_verifier: randomBytes(32).toString("base64url") }, 400, "invalid_grant"],
    [{ client_secret: "guess" }, 401, "invalid_client"],
    [{ grant_type: "password" }, 400, "invalid_request"],
  ];
  for (const [more, status, error] of wrong) {
    const response = await redeem(await newCode(), more);
    expect([response.status, await response.json()]).toMatchObject([status, { error }]);
  }
});

test("a foreign client or a missing scope is shown a refusal, not sent back", async () => {
  expect((await fetch(authUrl({ client_id: "other" }), { redirect: "manual" })).status).toBe(400);
  expect((await fetch(authUrl({ scope: "email" }), { redirect: "manual" })).status).toBe(400);
});

test.each<[GoogleFault, string]>([
  ["wrong-aud", "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  ["wrong-iss", "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  ["no-email", "ERR_JWT_CLAIM_VALIDATION_FAILED"],
  ["expired", "ERR_JWT_EXPIRED"],
  ["unknown-kid", "ERR_JWKS_NO_MATCHING_KEY"],
  ["bad-signature", "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"],
  ["alg-none", "ERR_JOSE_ALG_NOT_ALLOWED"],
  ["alg-hs256", "ERR_JOSE_ALG_NOT_ALLOWED"],
])("fault %s is refused by a careful verifier", async (fault, code) => {
  await expect(verify(await idTokenWith(fault))).rejects.toMatchObject({ code });
});

test("bad-nonce, no-nonce and unverified-email pass the signature and have to be checked by hand", async () => {
  expect((await verify(await idTokenWith("bad-nonce"))).payload["nonce"]).not.toBe("n1");
  expect((await verify(await idTokenWith("no-nonce"))).payload).not.toHaveProperty("nonce");
  expect((await verify(await idTokenWith("unverified-email"))).payload["email_verified"]).toBe(false);
});

test("the endpoints answer with the faults that are asked for", async () => {
  const statusWith = async (fault: GoogleFault) => {
    google.setFault(fault);
    return (await redeem(await newCode())).status;
  };
  expect(await statusWith("invalid-grant")).toBe(400);
  expect(await statusWith("invalid-client")).toBe(401);
  expect(await statusWith("token-500")).toBe(500);
  expect(await statusWith("token-html")).toBe(502);
  google.setFault("no-id-token");
  expect(await (await redeem(await newCode())).json()).not.toHaveProperty("id_token");
  google.setFault("certs-500");
  expect((await fetch(`${google.url}/oauth2/v3/certs`)).status).toBe(500);
  google.setFault("token-hang");
  const code = await newCode();
  await expect(
    fetch(`${google.url}/token`, { method: "POST", body: `code=${code}`, signal: AbortSignal.timeout(150) }),
  ).rejects.toMatchObject({ name: "TimeoutError" });
});
