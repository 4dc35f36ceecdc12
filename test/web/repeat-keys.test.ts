import { afterEach, expect, it, vi } from "vitest";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { regenerateReply } from "#shared/contracts/chat/messages.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { type ApiError, call } from "#web/lib/api.ts";

const KEY = "idempotency-key";
const OK = () => Response.json({ ok: true });
const failed = (status: number) => () => Response.json({ error: "No.", code: "INTERNAL" }, { status });
const cut = () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error("cut off")) }));
const lost = () => Promise.reject(new TypeError("Failed to fetch"));

/** What each try carried as its key, for answers that come in this order. */
function keysOf(...answers: (() => Response | Promise<Response>)[]): (string | null)[] {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get(KEY));
    return answers[keys.length - 1]?.() ?? OK();
  });
  return keys;
}

const say = (message: string) => call(sendFeedback, { body: { message } }).catch((error: unknown) => error);

afterEach(() => void vi.unstubAllGlobals());

it("a call that names itself by a key keeps the key while its answer is unknown, and takes a new one afterwards", async () => {
  const keys = keysOf(lost, failed(503), failed(409), cut, OK, OK);
  for (let n = 0; n < 6; n += 1) await say("the same");
  expect(keys[0]).toMatch(/^[\x21-\x7e]{1,200}$/);
  expect(new Set(keys.slice(0, 5)).size).toBe(1);
  expect(keys[5]).not.toBe(keys[4]);
});

it("a call that names itself by a key takes a new key after a refusal, and for another body", async () => {
  const keys = keysOf(lost, lost, failed(400), OK);
  await say("one");
  await say("another");
  await say("refused");
  await say("refused");
  expect(new Set(keys).size).toBe(4);
});

it("a call that names itself by a key still fails as before", async () => {
  keysOf(lost);
  expect(await say("told")).toMatchObject({ code: "OFFLINE" } satisfies Partial<ApiError>);
});

it("another call carries no key", async () => {
  const keys = keysOf(OK, OK);
  const id = crypto.randomUUID();
  await call(updateUser, { body: { display_name: "Ada" } });
  await call(regenerateReply, { params: { id, messageId: id }, body: { id } });
  expect(keys).toEqual([null, null]);
});
