import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deploymentWith } from "#test/support/deployment.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { runNightIn } from "#test/support/night.ts";
import { signIn } from "#test/support/worker.ts";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";

const OLDER = "older:b2xkZXItb2xkZXItb2xkZXItb2xkZXItb2xkZXItb2w=";
const NEWER = "newer:bmV3ZXItbmV3ZXItbmV3ZXItbmV3ZXItbmV3ZXItbmU=";
const owner = { userId: "ann", provider: "codegen" };

it("a stored credential opens for its person and provider alone", async () => {
  const sealed = await sealCredential(env, owner, "secret-token");
  expect(sealed).not.toContain("secret-token");
  expect(await openCredential(env, owner, sealed)).toBe("secret-token");
  expect(await openCredential(env, { ...owner, userId: "bob" }, sealed)).toBeNull();
  expect(await openCredential(env, { ...owner, provider: "mcp" }, sealed)).toBeNull();
  expect(await sealCredential(env, owner, "secret-token")).not.toBe(sealed);
});

it("a stored credential outlives a change of keys: the first encrypts, all decrypt", async () => {
  const before = deploymentWith({ CREDENTIAL_KEYS: OLDER });
  const sealed = await sealCredential(before, owner, "secret-token");
  const after = deploymentWith({ CREDENTIAL_KEYS: `${NEWER}, ${OLDER}` });
  expect(await openCredential(after, owner, sealed)).toBe("secret-token");
  expect(await sealCredential(after, owner, "secret-token")).toMatch(/^newer\./);
  expect(await openCredential(deploymentWith({ CREDENTIAL_KEYS: NEWER }), owner, sealed)).toBeNull();
});

it("a stored credential is sealed with the newest key in the night after that came, wherever it lies, so the older can go", async () => {
  const person = await signIn();
  const server_url = "http://127.0.0.1:9/mcp";
  const body = { name: "Guild", server_url, auth_type: "oauth" as const, client_id: "app", client_secret: "client-secret" };
  const { id } = (await person.take(createMcpConnection, { body })).connection;
  const bearer = { name: "Notes", server_url, auth_type: "bearer" as const, token: "notes-token" };
  const { id: other } = (await person.take(createMcpConnection, { body: bearer })).connection;
  const userId = person.user.id;
  const sealed = (provider: string) => sealCredential(env, { userId, provider }, `of ${provider}`);
  const at = new Date().toISOString();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO codegen_connections (user_id, org_id, token, created_at) VALUES (?, '1', ?, ?)").bind(
      userId,
      await sealed("codegen"),
      at,
    ),
    env.DB.prepare(
      "INSERT INTO google_connections (user_id, subject, email, scopes, tokens, expires_at, connected_at) VALUES (?, ?, 'a@b.example', '', ?, ?, ?)",
    ).bind(userId, userId, await sealed("google"), at, at),
  ]);
  const read = async (query: string, ...bound: string[]) =>
    String(
      (
        await env.DB.prepare(query)
          .bind(...bound)
          .first()
      )?.["sealed"],
    );
  const storedState = async () => ({
    google: await read("SELECT tokens AS sealed FROM google_connections WHERE user_id = ?", userId),
    codegen: await read("SELECT token AS sealed FROM codegen_connections WHERE user_id = ?", userId),
    [`mcp:${other}`]: await read("SELECT credentials AS sealed FROM mcp_connections WHERE id = ?", other),
    [`mcp-client:${id}`]: await read("SELECT client AS sealed FROM mcp_connections WHERE id = ?", id),
  });
  const before = await storedState();
  await runNightIn(env, userId);
  expect(await storedState()).toEqual(before);
  expect(Object.values(before).every((one) => one.startsWith("canary."))).toBe(true);

  await runNightIn(deploymentWith({ CREDENTIAL_KEYS: `${NEWER},${env.CREDENTIAL_KEYS}` }), userId);
  const newerAlone = deploymentWith({ CREDENTIAL_KEYS: NEWER });
  const opened = Object.entries(await storedState()).map(([provider, one]) => openCredential(newerAlone, { userId, provider }, one));
  expect(await Promise.all(opened)).toEqual([
    "of google",
    "of codegen",
    JSON.stringify({ token: "notes-token" }),
    JSON.stringify({ client_id: "app", client_secret: "client-secret" }),
  ]);
});

it("a stored credential that was changed or is none opens nothing", async () => {
  const [id, nonce, cipher = ""] = (await sealCredential(env, owner, "secret-token")).split(".");
  const changed = `${cipher.startsWith("A") ? "B" : "A"}${cipher.slice(1)}`;
  for (const broken of ["", "secret-token", `${id}.${nonce}`, `${id}.${nonce}.${changed}`, `${id}.!.${cipher}`]) {
    expect(await openCredential(env, owner, broken)).toBeNull();
  }
});

it("a stored credential is not kept where there is no key", async () => {
  await expect(sealCredential(deploymentWith({ CREDENTIAL_KEYS: "" }), owner, "secret-token")).rejects.toThrow("CREDENTIAL_KEYS");
});
