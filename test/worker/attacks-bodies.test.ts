import { expect, it } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { BODY_BYTES, BYTES_PER_CHARACTER } from "#shared/limits.ts";
import { signIn, visit } from "#test/support/worker.ts";
import { bodyBound } from "#worker/people/callers/body-bounds.ts";

const MEGABYTE = 1024 * 1024;
/** A stream's queues on the way. */
const ON_THE_WAY = 2 * MEGABYTE;

const CHANGING = Object.entries(ENDPOINTS).filter(([, { method }]) => method !== "GET");
const pathOf = (path: string) => path.replaceAll(/:\w+/g, () => crypto.randomUUID());

/** A body of 64 MB without an announced length, which counts what is taken of it. */
function endless() {
  const taken = { bytes: 0 };
  const chunk = new TextEncoder().encode(`"${"a".repeat(MEGABYTE / 4 - 2)}"`);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.bytes >= 64 * MEGABYTE) return controller.close();
      taken.bytes += chunk.byteLength;
      return controller.enqueue(chunk.slice());
    },
  });
  return { body, taken };
}

it("a body that does not end has the bound of its contract", () => {
  for (const [name, { method, path, body, bodyLength }] of CHANGING) {
    if (!body) continue;
    const bound = bodyLength === undefined ? BODY_BYTES : bodyLength * BYTES_PER_CHARACTER;
    expect({ name, bound: bodyBound(method, pathOf(path)) }).toEqual({ name, bound });
  }
  const counted = CHANGING.filter(([, { method, path }]) => bodyBound(method, pathOf(path)) === null).map(([name]) => name);
  expect(counted.toSorted()).toEqual(["putArtifactFile", "putAttachment", "putImportPart", "putKnowledgeFile", "putPicture", "transcribe"]);
});

it("a body that does not end is ended there at each address that takes one, for an account, and where strangers may send one", async () => {
  const person = await signIn();
  const strangers = { fetch: visit };
  const webhooks = ["/api/mail/webhook", "/api/whatsapp/webhook", "/api/phone/webhook/a/b/c"];
  const asked = [
    ...CHANGING.filter(([, { body }]) => body !== undefined).map(([, { method, path }]) => ({
      client: person,
      method,
      path: pathOf(path),
    })),
    ...[...webhooks, "/mcp", "/v1/chat/completions", "/nowhere", "/api/nowhere", "/api/auth/email/start", "/api/transcriptions"].map(
      (path) => ({ client: strangers, method: "POST", path }),
    ),
  ];
  let ended = 0;
  for (const { client, method, path } of asked) {
    const { body, taken } = endless();
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const response = await client.fetch(path, { method, headers, body });
    await response.body?.cancel();
    expect({ path, isTaken: response.ok }).toEqual({ path, isTaken: false });
    const most = (bodyBound(method, path) ?? 0) + ON_THE_WAY;
    expect({ path, most, bytes: taken.bytes }).toEqual({ path, most, bytes: Math.min(taken.bytes, most) });
    if (response.status === 413) ended += 1;
  }
  expect(ended).toBeGreaterThan(50);
});

it("a body that does not end is refused by the length that it announces, before anything of it is read", async () => {
  for (const path of ["/api/mail/webhook", "/api/user/tool-settings", "/nowhere"]) {
    const { body, taken } = endless();
    const headers = { "content-length": String(60 * MEGABYTE), "content-type": "application/json" };
    const response = await visit(path, { method: path === "/api/user/tool-settings" ? "PUT" : "POST", headers, body });
    expect({ path, status: response.status }).toEqual({ path, status: 413 });
    expect(taken.bytes).toBeLessThanOrEqual(ON_THE_WAY);
    expect(await response.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  }
});
