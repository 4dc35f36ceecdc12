import { afterEach, expect, it, vi } from "vitest";
import { connectCodegen } from "#shared/contracts/outbound/codegen.ts";
import { call, serverWords } from "#web/lib/api.ts";

afterEach(() => vi.unstubAllGlobals());

async function failureOf(answer: () => Promise<Response>): Promise<unknown> {
  vi.stubGlobal("fetch", answer);
  return call(connectCodegen, { body: { orgId: "1", token: "t" } }).catch((error: unknown) => error);
}

it("the server's words of a failure are distinguished from ours where it has none", async () => {
  const ofServer = await failureOf(async () => Response.json({ error: "Codegen is busy.", code: "RATE_LIMITED" }, { status: 429 }));
  expect(serverWords(ofServer)).toBe("Codegen is busy.");
  expect(serverWords(await failureOf(async () => new Response("<h1>Bad gateway</h1>", { status: 502 })))).toBeNull();
  expect(serverWords(await failureOf(async () => Promise.reject(new TypeError("no network"))))).toBeNull();
  expect(serverWords(new Error("a fault of the page"))).toBeNull();
});
