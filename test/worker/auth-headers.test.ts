import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { cookiesOf, post, visitWith } from "#test/support/sign-in.ts";
import { ORIGIN, signIn, visit } from "#test/support/worker.ts";
import { inlineScripts, pagePolicy } from "#worker/platform/http/security-headers.ts";

const THEME = '<!doctype html><script>document.title = "1";</script><script src="/a.js"></script><script type="module">2</script>';

it.each(["/", "/c/anything", "/auth/login", "/api/auth/session", "/api/nowhere", "/missing.png"])(
  "every answer at %s carries the headers",
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

it("every answer asks for https from then on, off this machine", async () => {
  const { headers } = await visit("https://chat.example.com/api/auth/session");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  expect((await visit("https://localhost/")).headers.get("strict-transport-security")).toBeNull();
});

it("every answer of the API is never stored", async () => {
  const client = await signIn();
  for (const path of ["/api/auth/session", "/api/user", "/api/nowhere"]) {
    const { headers } = await client.fetch(path);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
  expect((await visit("/api/auth/session")).headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
});

describe("what answers", () => {
  /** What is said of a file that the platform says is of this type. */
  async function typeOf(type: string): Promise<string | null> {
    const fetch = async () => new Response("<a/>", { headers: { "content-type": type } });
    const connect = () => {
      throw new Error("Files are fetched.");
    };
    return (await visitWith({ ASSETS: { fetch, connect } }, "/a.file")).headers.get("content-type");
  }

  it.each(["image/svg+xml", "text/event-stream", "application/xml"])("an answer says of %s that it is UTF-8", async (type) => {
    expect(await typeOf(type)).toBe(`${type}; charset=utf-8`);
  });

  it.each(["image/png", "text/plain; charset=windows-1252"])("an answer leaves %s as it is", async (type) => {
    expect(await typeOf(type)).toBe(type);
  });

  it("an answer is under the same headers where it opens a socket", async () => {
    const origin = "https://chat.example.com";
    const { cookies } = await signIn();
    const cookie = [...cookies].map(([name, value]) => `${name.replace("polylogue-", "__Host-")}=${value}`).join("; ");
    const { status, headers, webSocket } = await visit(`${origin}/api/live`, { headers: { cookie, origin, upgrade: "websocket" } });
    webSocket?.accept();
    webSocket?.close();
    expect(status).toBe(101);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  });
});

it.each(["/v1/models", "/mcp"])("%s is stored by nobody and shown in no frame", async (path) => {
  const { headers } = await visit(path, { method: path === "/mcp" ? "POST" : "GET" });
  expect([headers.get("cache-control"), headers.get("content-security-policy")]).toEqual([
    "no-store",
    "default-src 'none'; frame-ancestors 'none'",
  ]);
});

it("previews and diagrams are shown by the product's own pages alone, in an origin of nobody's", async () => {
  for (const path of ["/artifact-frame", "/diagram-frame?script=/assets/a.js"]) {
    const { headers } = await visit(path);
    expect(headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts; default-src 'none'; .*frame-ancestors 'self'/);
  }
});

it("the document of diagrams runs own scripts alone", async () => {
  const document = await visit("/diagram-frame?script=/assets/a%22.js%3Fx");
  expect(await document.text()).toContain('<script type="module" src="/assets/a%22.js?x"></script>');
  expect(document.headers.get("content-security-policy")).toMatch(/script-src https?:\/\/[\w.:]+; style-src 'unsafe-inline'; base-uri/);
  for (const script of ["https://evil.test/x.js", "//evil.test/x.js", "data:text/javascript,1", "", "/"])
    expect((await visit(`/diagram-frame?script=${encodeURIComponent(script)}`)).status).toBe(404);
});

it("a file is shown in no frame", async () => {
  expect((await visit("/missing.png")).headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
});

describe("a page's violations of its policy", () => {
  const report = (body: unknown) => visit("/policy-reports", { method: "POST", body: JSON.stringify(body) });

  it("a page's violations of its policy are reported to the product and stand in its log, without what addresses say", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const one = { "blocked-uri": "https://evil.test/said?in=a+chat", "document-uri": "http://localhost/c/1?q=asked" };
    const other = { "violated-directive": "script-src-elem", "blocked-uri": "inline", "document-uri": "http://localhost/new#x" };
    const sent = [{ "csp-report": { ...one, "effective-directive": "img-src" } }, { "csp-report": other }, "nothing", [1]];
    for (const body of sent) expect((await report(body)).status).toBe(204);
    const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)));
    warn.mockRestore();
    const message = "a page tried what its policy forbids";
    expect(lines).toEqual([
      { message, directive: "img-src", blocked: "https://evil.test", page: "/c/1", source: null },
      { message, directive: "script-src-elem", blocked: "inline", page: "/new", source: null },
    ]);
  });

  it("a page's violations of its policy are counted by network, and long ones refused", async () => {
    expect((await report("x".repeat(100_001))).status).toBe(413);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const send = () => report({ "csp-report": { "effective-directive": "img-src" } });
    await Promise.all(Array.from({ length: 70 }, send));
    expect(warn.mock.calls.length).toBeLessThanOrEqual(60);
    warn.mockRestore();
  });
});

it.each(["/missing.png", "/assets/gone-1a2b3c.js", "/.vite/manifest.json", "/assets/.hidden.js"])(
  "a file that is not there is asked for again: %s",
  async (path) => {
    const { status, headers } = await visit(path);
    expect({ path, status, cache: headers.get("cache-control") }).toEqual({ path, status: 404, cache: "no-store" });
  },
);

it("a file is served where browsers ask for its kind alone, whatever else a build left there", async () => {
  const ASSETS = { ...env.ASSETS, fetch: async () => new Response("there") };
  const got = async (path: string) => (await visitWith({ ENVIRONMENT: "production", APP_ORIGIN: ORIGIN, ASSETS }, path)).status;
  for (const path of ["/sw.js", "/favicon.svg", "/manifest.webmanifest"]) expect([path, await got(path)]).toEqual([path, 200]);
  for (const path of ["/wrangler.json", "/index.js.map", "/notes.md", "/main.tsx", "/dump.sql", "/.hidden.js"])
    expect([path, await got(path)]).toEqual([path, 404]);
});

it("a page is the application's one document, asked for again each time", async () => {
  for (const path of ["/", "/c/1", "/index.html", "/auth/"]) {
    const response = await visit(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toContain('<div id="root">');
  }
});

it.each(["/new", "/changelog/", "/auth/login", "/c/1"])("a page is there at %s", async (path) => {
  expect((await visit(path)).status).toBe(200);
});

it.each(["/main.tsx", "/@vite/client", "/@react-refresh"])(
  "a page is not what answers %s, a file of the build or of who develops it",
  async (path) => {
    expect(await (await visit(path)).text()).not.toContain('<div id="root">');
  },
);

it.each(["/nothing", "/c/", "/c/1/2", "/auth/other"])("a page is not there at %s: 404 with the same document", async (path) => {
  const response = await visit(path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<div id="root">');
});

it("a page lets nothing in but its own scripts, and no foreign image, frame or form", async () => {
  const policy = (await visit("/")).headers.get("content-security-policy") ?? "";
  const directives = new Map(policy.split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1).join(" ")]));
  expect(Object.fromEntries(directives)).toEqual({
    "default-src": "'self'",
    "script-src": expect.stringMatching(/^'self'( 'sha256-[A-Za-z0-9+/]{43}=')*$/),
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' blob: data:",
    "font-src": "'self' data:",
    "connect-src": "'self' ws://localhost",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "own-scripts character-references",
    "report-uri": "/policy-reports",
  });
});

it("a page names its inline scripts by their hashes, and them alone", async () => {
  expect(inlineScripts(THEME)).toEqual(['document.title = "1";', "2"]);
  const policy = await pagePolicy(THEME, "http://localhost/");
  expect(policy).toContain("'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='");
  expect(policy.match(/'sha256-/g)).toHaveLength(2);
  expect(await pagePolicy("<p>none</p>", "http://localhost/")).not.toContain("sha256");
});

it("a page takes GET and HEAD alone", async () => {
  expect((await visit("/c/1", { method: "HEAD" })).status).toBe(200);
  expect((await visit("/c/1", { method: "POST" })).status).toBe(405);
});

it("a page is there without a database, whose calls then say that it is missing", async () => {
  expect((await visitWith({ DB: undefined }, "/")).status).toBe(200);
  const response = await visitWith({ DB: undefined }, "/api/auth/session");
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: "Supabase is not configured", code: "DATABASE_NOT_CONFIGURED" });
});

describe("plain http", () => {
  const at = "http://chat.example.com";

  it("plain http leads pages and files on to https, with all of their address", async () => {
    for (const path of ["/", "/c/1?x=1", "/p/1", "/favicon.svg", "/api/auth/session", "/api/auth/google/start?returnUrl=%2Fc%2F1"]) {
      const { status, headers } = await visit(`${at}${path}`);
      expect([status, headers.get("location")]).toEqual([308, `https://chat.example.com${path}`]);
      expect(headers.get("strict-transport-security")).toBeNull();
    }
    expect((await visit("http://chat.example.com:8080/c/1")).headers.get("location")).toBe("https://chat.example.com/c/1");
    // What another application of the host has set there keeps nobody from a page.
    expect((await visit(`${at}/`, { headers: { cookie: "other=1" } })).status).toBe(308);
  });

  it("a request over plain http that carries a cookie, a key or a body is refused, and a sent key is reported as compromised", async () => {
    const person = await signIn();
    const answers = {
      cookie: visit(`${at}/api/user`, { headers: cookiesOf(person) }),
      body: visit(`${at}/api/auth/email/start`, post({ email: person.email }, { origin: at })),
      socket: visit(`${at}/api/live`, { headers: { ...cookiesOf(person), upgrade: "websocket", origin: at } }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const { status } = await answer;
      expect([name, status, await (await answer).json()]).toEqual([name, 403, expect.objectContaining({ code: "HTTPS_REQUIRED" })]);
    }
    const spelled = await visit(`${at}/%61pi/user`, { headers: cookiesOf(person) });
    expect([spelled.status, await spelled.json()]).toEqual([403, expect.objectContaining({ code: "HTTPS_REQUIRED" })]);
    for (const path of ["/v1/models", "/mcp", "/api/user"]) {
      const refused = await visit(`${at}${path}`, { headers: { authorization: "Bearer plg_neverToBeReadByAnybody_x7Qa" } });
      const text = await refused.text();
      expect([refused.status, text]).toEqual([403, expect.stringContaining("The key that ends in x7Qa came by plain http")]);
      expect(text).toContain("it is burnt");
      expect(text).not.toContain("neverToBeRead");
    }
  });

  it.each(["localhost", "127.0.0.1", "[::1]"])("plain http is as good as https on this machine, by the name %s", async (host) => {
    const answer = await visit(`http://${host}:8787/api/user`, { headers: { authorization: "Bearer plg_key", cookie: "other=1" } });
    expect(answer.status).toBe(401);
    const page = await visit(`http://${host}:8787/`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(`connect-src 'self' ws://${host}:8787;`);
    expect((await visit("https://chat.example.com/")).headers.get("content-security-policy")).toContain(
      "connect-src 'self' wss://chat.example.com;",
    );
  });
});

it("an unknown call is 404 in JSON, and 405 where the address exists with other methods", async () => {
  const missing = await visit("/api/nowhere");
  expect({ status: missing.status, body: await missing.json() }).toEqual({
    status: 404,
    body: { error: "Not found.", code: "NOT_FOUND" },
  });
  const other = await visit("/api/auth/email/start");
  expect(other.status).toBe(405);
  expect(other.headers.get("allow")).toBe("POST");
  // Without its id it is no address of anything.
  expect((await visit("/api/chat//messages")).status).toBe(404);
});

it("security.txt names the operator, for some months from now on, and is nowhere where there is none", async () => {
  const given = { OPERATOR_EMAIL: "operator@example.com", APP_ORIGIN: "https://chat.example.com" };
  const answer = await visitWith(given, "/.well-known/security.txt");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = new Map(
    (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  expect(fields.get("Contact")).toBe("mailto:operator@example.com");
  expect(fields.get("Canonical")).toBe("https://chat.example.com/.well-known/security.txt");
  const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / (24 * 60 * 60_000);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  expect((await visitWith({ OPERATOR_EMAIL: undefined }, "/.well-known/security.txt")).status).toBe(404);
});
