import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { pathToLog } from "#worker/platform/requests/path-to-log.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import worker from "#worker/index.ts";
import { plainError } from "#worker/platform/errors/plain-error.ts";
import { log } from "#worker/platform/log.ts";

afterEach(() => vi.restoreAllMocks());

function thrownBy(attempt: () => void): unknown {
  try {
    attempt();
    return null;
  } catch (error) {
    return error;
  }
}

function logged(cause: unknown): string {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  log.error("it failed", { cause });
  return lines.join("\n");
}

it("the log says why a query failed, and none of its values", async () => {
  const secret = "My whole prompt,\n    at home (1:2) someone@example.com";
  const query = openDatabase(env.DB).run(sql`INSERT INTO nowhere VALUES (${secret})`);
  const failure: unknown = await query.then(() => null).catch((cause: unknown) => cause);
  expect(String(failure)).toContain(secret);
  // As it arrives from an object, and as the cause of another.
  for (const cause of [failure, new Error(`DrizzleQueryError: ${String(failure)}`), new Error("outer", { cause: failure })]) {
    const line = logged(cause);
    expect(line).toContain("a query failed");
    for (const fragment of ["My whole", "at home", "someone@"]) expect(line).not.toContain(fragment);
  }
  expect(logged(failure)).toContain("no such table: nowhere");
  // What is kept of a job's failure.
  const { message } = plainError(failure, []);
  expect(message).toContain("no such table: nowhere");
  expect(message).not.toContain("My whole");
});

it("the log tells of an error its class, codes and frames, and a message only where the words are the platform's or ours", () => {
  const privateText = "Canaria Petrel <someone@example.com> asked about +49 1512 7654321";
  class JWTExpired extends Error {
    readonly code = "ERR_JWT_EXPIRED";
    readonly payload = { email: privateText };
    readonly reason = privateText;
  }
  const libraryLine = logged(
    new Error("it could not be read", { cause: new JWTExpired(privateText, { cause: { payload: privateText } }) }),
  );
  for (const detail of ["it could not be read", "JWTExpired", "ERR_JWT_EXPIRED", "log.test"]) expect(libraryLine).toContain(detail);
  const parsing = z.object({ name: z.number(), [privateText]: z.number() }).safeParse({ name: privateText }).error;
  expect(logged(parsing)).toContain("name, ?");
  const strangers = [
    libraryLine,
    logged(thrownBy(() => void JSON.parse(privateText))),
    logged(parsing),
    logged(privateText),
    logged({ message: privateText }),
  ];
  // Of another object's error the class stands in the message.
  strangers.push(logged(new Error(`SyntaxError: ${privateText}`)), logged(new AppError("CONFLICT", { message: privateText })));
  for (const line of strangers) for (const own of ["Petrel", "someone@", "1512", "asked about"]) expect(line).not.toContain(own);
  expect(strangers.at(-1)).toContain("CONFLICT");

  const ours = logged(
    new TypeError(`fetch of https://a:b@mail.example/x?to=1 failed for someone@example.com, bearer abc, +49 1512 7654321`),
  );
  expect(ours).toContain("fetch of https://mail.example/x failed for ..., bearer ... ...");
  const job = plainError(new JWTExpired(privateText), []);
  expect(job).toEqual({ name: "JWTExpired", message: "" });
});

it("the log says why a mail or a cron came to nothing, and the platform gets no more of it to write out", async () => {
  const lines: string[] = [];
  for (const level of ["error", "warn"] as const) vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  const prepare = () => {
    throw new Error("no row of someone@example.com");
  };
  const broken = deploymentWith({ DB: Object({ prepare }) });
  const message = { from: "someone@example.com", to: `no-chat@${env.MAIL_DOMAIN}`, raw: null, rawSize: 1, setReject: () => undefined };
  const thrown = await Promise.all([
    worker.email(Object(message), broken).catch(String),
    worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), broken).catch(String),
  ]);
  for (const [index, what] of ["a mail was not taken in", "a cron failed"].entries()) {
    expect([what, thrown[index]]).toEqual([what, expect.stringContaining("Error: ")]);
    expect(lines.some((line) => line.startsWith(`{"message":"${what}"`))).toBe(true);
  }
  expect([...lines, ...thrown].filter((text) => String(text).includes("someone@"))).toEqual([]);
});

it("the log shows the path of a failed call without the token or code in it, whichever call has one", () => {
  const paths = Object.values(ENDPOINTS).map(({ path }) => path.replace(/:(?:token|code)\b/, "S3CRET"));
  const secret = paths.filter((path) => path.includes("S3CRET"));
  expect(secret.length).toBeGreaterThan(6);
  for (const path of secret) expect(pathToLog(path)).not.toContain("S3CRET");
  // What stands under no contract: addresses that mails and services hold.
  expect(pathToLog("/unsubscribe/t0k")).toBe("/unsubscribe/…");
  expect(pathToLog("/not-me/t0k")).toBe("/not-me/…");
  expect(pathToLog("/api/phone/webhook/chat/call/t0k")).toBe("/api/phone/webhook/chat/call/…");
  expect(pathToLog("/api/media/s1g/https%3A%2F%2Fexample.com%2Fa.png")).toBe("/api/media/…");
  expect(pathToLog("/api/invites/AB-12/redeem")).toBe("/api/invites/…/redeem");
  expect(pathToLog("/api/shared/system-prompts/t0k")).toBe("/api/shared/system-prompts/…");
  for (const path of ["/api/chat/1/messages", "/api/invites", "/api/teams/1"]) expect(pathToLog(path)).toBe(path);
});

describe("a request", () => {
  /** The lines of each level that are written from now on. */
  function listen() {
    const lines = { log: [] as string[], info: [] as string[], error: [] as string[] };
    for (const level of ["log", "info", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void lines[level].push(line));
    return lines;
  }

  it("a request is one line where it is among the share of those that are logged, which is drawn once", async () => {
    const lines = listen();
    const drawn = vi.spyOn(Math, "random").mockReturnValue(0.04);
    await visitWith({ LOG_SAMPLE: undefined }, "/api/invites/AB-12/redeem", { headers: { "cf-ray": "8f2a64b1c9d3e5f7-FRA" } });
    expect(lines.log.map((line): unknown => JSON.parse(line))).toEqual([
      {
        message: "request",
        method: "GET",
        path: "/api/invites/…/redeem",
        status: 405,
        ms: expect.any(Number),
        account: null,
        request: "8f2a64b1c9d3e5f7-FRA",
      },
    ]);
    drawn.mockReturnValue(0.05);
    await visitWith({ LOG_SAMPLE: undefined }, "/api/models");
    expect(lines.log).toHaveLength(1);
    await visitWith({ LOG_SAMPLE: "1" }, "/api/models");
    expect(lines.log).toHaveLength(2);
  });

  it("a request that is not among them has its failure and its security event written all the same", async () => {
    const lines = listen();
    const refuse = () => {
      throw new Error("The bucket is away");
    };
    const away = new Proxy(env.FILES, { get: () => refuse });
    expect((await visitWith({ LOG_SAMPLE: "0", FILES: away }, `/api/pictures/${crypto.randomUUID()}`)).status).toBe(500);
    expect(lines.error).toHaveLength(1);
    const body = JSON.stringify({ returnUrl: "/" });
    await visitWith({ LOG_SAMPLE: "0" }, "/api/chats", { method: "POST", body, headers: { origin: "https://evil.example" } });
    expect(lines.info.filter((line) => line.includes('"kind":"foreign-origin"'))).toHaveLength(1);
    expect(lines.log).toEqual([]);
  });
});
