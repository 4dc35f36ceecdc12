import { expect, test } from "vitest";
import { retryDelay } from "#web/lib/connection.ts";
import { classifyFailure, remedyFor } from "#web/features/conversation/sending/send-failure.ts";
import { ApiError } from "#web/lib/api.ts";

const failure = (code: string, status: number) => classifyFailure(new ApiError({ code, message: `Said of ${code}.`, status }));

test("a message that was not sent waits when the server cannot be reached", () => {
  expect(failure("OFFLINE", 0)).toEqual({ kind: "offline" });
});

test("a message that was not sent goes back to the composer when it was refused, with the server's own words", () => {
  expect(failure("GUEST_LIMIT", 429)).toEqual({ kind: "refused", code: "GUEST_LIMIT", message: "Said of GUEST_LIMIT." });
  expect(failure("INSUFFICIENT_CREDITS", 402).kind).toBe("refused");
});

test("a message that was not sent stays with Retry when the server failed, as it may have been stored", () => {
  expect(failure("INTERNAL", 500).kind).toBe("failed");
  expect(failure("AGGREGATOR_UNAVAILABLE", 503).kind).toBe("failed");
  expect(classifyFailure(new TypeError("odd")).kind).toBe("failed");
});

test.each([
  ["GUEST_LIMIT", "sign_in"],
  ["GUEST_MODEL", "sign_in"],
  ["GUESTS_OFF", "sign_in"],
  ["PRO_MODEL_REQUIRED", "ask_for_pro"],
  ["MODEL_NOT_FOUND", "switch_model"],
  ["MODEL_NOT_ALLOWED", "switch_model"],
  ["INSUFFICIENT_CREDITS", "see_usage"],
  ["RATE_LIMITED", "none"],
])("a message that was not sent: %s offers %s", (code, remedy) => expect(remedyFor(code)).toBe(remedy));

test("a message that was not sent is tried again ever later, up to half a minute", () => {
  expect([0, 1, 2, 3, 4, 9].map(retryDelay)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});
