import { describe, expect, it } from "vitest";
import { visitWith } from "#test/support/sign-in.ts";
import { signIn, visit } from "#test/support/worker.ts";
import { inlineScripts, pagePolicy } from "#worker/http/security-headers.ts";

const THEME = '<!doctype html><script>document.title = "1";</script><script src="/a.js"></script><script type="module">2</script>';

describe("every answer", () => {
  it.each(["/", "/c/anything", "/auth/login", "/api/auth/session", "/api/nowhere", "/missing.png"])(
    "at %s carries the headers",
    async (path) => {
      const { headers, status } = await visit(path);
      expect(status).toBe(path === "/api/nowhere" || path === "/missing.png" ? 404 : 200);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("strict-transport-security")).toBeNull();
      expect(headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  it("asks for https from then on, off this machine", async () => {
    const { headers } = await visit("https://chat.example.com/api/auth/session");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  });

  it("of the API is never stored", async () => {
    const client = await signIn();
    for (const path of ["/api/auth/session", "/api/user", "/api/nowhere"]) {
      const { headers } = await client.fetch(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    expect((await visit("/api/auth/session")).headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  });
});

describe("a page", () => {
  it("is the application's one document, asked for again each time", async () => {
    for (const path of ["/", "/c/1", "/index.html", "/auth/"]) {
      const response = await visit(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/html/);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toContain('<div id="root">');
    }
  });

  it.each(["/new", "/changelog/", "/auth/login", "/c/1"])("is there at %s", async (path) => {
    expect((await visit(path)).status).toBe(200);
  });

  it.each(["/main.tsx", "/@vite/client", "/@react-refresh"])(
    "is not what answers %s, a file of the build or of who develops it",
    async (path) => {
      expect(await (await visit(path)).text()).not.toContain('<div id="root">');
    },
  );

  it.each(["/nothing", "/c/", "/c/1/2", "/auth/other"])("is not there at %s: 404 with the same document", async (path) => {
    const response = await visit(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<div id="root">');
  });

  it("lets nothing in but its own scripts, and no foreign image, frame or form", async () => {
    const policy = (await visit("/")).headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1).join(" ")]));
    expect(Object.fromEntries(directives)).toEqual({
      "default-src": "'self'",
      "script-src": expect.stringMatching(/^'self'( 'sha256-[A-Za-z0-9+/]{43}=')*$/),
      "style-src": "'self' 'unsafe-inline'",
      "img-src": "'self' blob: data:",
      "font-src": "'self' data:",
      "connect-src": "'self' ws://localhost wss://localhost",
      "worker-src": "'self' blob:",
      "frame-src": "'self'",
      "object-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "own-scripts character-references diagram-frame dompurify default",
    });
  });

  it("names its inline scripts by their hashes, and them alone", async () => {
    expect(inlineScripts(THEME)).toEqual(['document.title = "1";', "2"]);
    const policy = await pagePolicy(THEME, "localhost");
    expect(policy).toContain("'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='");
    expect(policy.match(/'sha256-/g)).toHaveLength(2);
    expect(await pagePolicy("<p>none</p>", "localhost")).not.toContain("sha256");
  });

  it("takes GET and HEAD alone", async () => {
    expect((await visit("/c/1", { method: "HEAD" })).status).toBe(200);
    expect((await visit("/c/1", { method: "POST" })).status).toBe(405);
  });

  it("is there without a database, whose calls then say that it is missing", async () => {
    expect((await visitWith({ DB: undefined }, "/")).status).toBe(200);
    const response = await visitWith({ DB: undefined }, "/api/auth/session");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: "Supabase is not configured", code: "DATABASE_NOT_CONFIGURED" });
  });
});

describe("an unknown call", () => {
  it("is 404 in JSON, and 405 where the address exists with other methods", async () => {
    const missing = await visit("/api/nowhere");
    expect({ status: missing.status, body: await missing.json() }).toEqual({
      status: 404,
      body: { error: "Not found.", code: "NOT_FOUND" },
    });
    const other = await visit("/api/auth/email/start");
    expect(other.status).toBe(405);
    expect(other.headers.get("allow")).toBe("POST");
  });
});
