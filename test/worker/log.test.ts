import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { pathToLog } from "#worker/http/error-response.ts";
import { openDatabase } from "#worker/db/client.ts";
import { plainError } from "#worker/jobs/plain-error.ts";
import { log } from "#worker/log.ts";

afterEach(() => vi.restoreAllMocks());

function logged(cause: unknown): string {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  log.error("it failed", { cause });
  return lines.join("\n");
}

describe("the log", () => {
  it("says why a query failed, and none of its values", async () => {
    const secret = "My whole prompt,\n    at home (1:2) someone@example.com";
    const query = openDatabase(env.DB).run(sql`INSERT INTO nowhere VALUES (${secret})`);
    const failure: unknown = await query.then(() => null).catch((cause: unknown) => cause);
    expect(String(failure)).toContain(secret);
    // As it arrives from an object, and as the cause of another.
    for (const cause of [failure, new Error(`DrizzleQueryError: ${String(failure)}`), new Error("outer", { cause: failure })]) {
      const line = logged(cause);
      expect(line).toContain("a query failed");
      for (const piece of ["My whole", "at home", "someone@"]) expect(line).not.toContain(piece);
    }
    expect(logged(failure)).toContain("no such table: nowhere");
    // What is kept of a job's failure.
    const { message } = plainError(failure, []);
    expect(message).toContain("no such table: nowhere");
    expect(message).not.toContain("My whole");
  });

  it("shows the path of a failed call without the token or code in it, whichever call has one", () => {
    const paths = Object.values(ENDPOINTS).map(({ path }) => path.replace(/:(?:token|code)\b/, "S3CRET"));
    const secret = paths.filter((path) => path.includes("S3CRET"));
    expect(secret.length).toBeGreaterThan(6);
    for (const path of secret) expect(pathToLog(path)).not.toContain("S3CRET");
    expect(pathToLog("/api/invites/AB-12/redeem")).toBe("/api/invites/…/redeem");
    expect(pathToLog("/api/shared/system-prompts/t0k")).toBe("/api/shared/system-prompts/…");
    for (const path of ["/api/chat/1/messages", "/api/invites", "/api/teams/1"]) expect(pathToLog(path)).toBe(path);
  });
});
