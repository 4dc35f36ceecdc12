import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deploymentWith } from "#test/support/deployment.ts";
import { openCredential, sealCredential } from "#worker/credentials/sealed.ts";

const OLDER = "older:b2xkZXItb2xkZXItb2xkZXItb2xkZXItb2xkZXItb2w=";
const NEWER = "newer:bmV3ZXItbmV3ZXItbmV3ZXItbmV3ZXItbmV3ZXItbmU=";
const owner = { userId: "ann", provider: "codegen" };

describe("a stored credential", () => {
  it("opens for its person and provider alone", async () => {
    const sealed = await sealCredential(env, owner, "secret-token");
    expect(sealed).not.toContain("secret-token");
    expect(await openCredential(env, owner, sealed)).toBe("secret-token");
    expect(await openCredential(env, { ...owner, userId: "bob" }, sealed)).toBeNull();
    expect(await openCredential(env, { ...owner, provider: "mcp" }, sealed)).toBeNull();
    expect(await sealCredential(env, owner, "secret-token")).not.toBe(sealed);
  });

  it("outlives a change of keys: the first encrypts, all decrypt", async () => {
    const before = deploymentWith({ CREDENTIAL_KEYS: OLDER });
    const sealed = await sealCredential(before, owner, "secret-token");
    const after = deploymentWith({ CREDENTIAL_KEYS: `${NEWER}, ${OLDER}` });
    expect(await openCredential(after, owner, sealed)).toBe("secret-token");
    expect(await sealCredential(after, owner, "secret-token")).toMatch(/^newer\./);
    expect(await openCredential(deploymentWith({ CREDENTIAL_KEYS: NEWER }), owner, sealed)).toBeNull();
  });

  it("that was changed or is none opens nothing", async () => {
    const [id, nonce, cipher = ""] = (await sealCredential(env, owner, "secret-token")).split(".");
    const changed = `${cipher.startsWith("A") ? "B" : "A"}${cipher.slice(1)}`;
    for (const broken of ["", "secret-token", `${id}.${nonce}`, `${id}.${nonce}.${changed}`, `${id}.!.${cipher}`]) {
      expect(await openCredential(env, owner, broken)).toBeNull();
    }
  });

  it("is not kept where there is no key", async () => {
    await expect(sealCredential(deploymentWith({ CREDENTIAL_KEYS: "" }), owner, "secret-token")).rejects.toThrow("CREDENTIAL_KEYS");
  });
});
