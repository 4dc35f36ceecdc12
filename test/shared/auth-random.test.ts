import { expect, it } from "vitest";
import { randomCode, randomToken, sha256 } from "#worker/platform/random.ts";

it("randomCode draws again where a remainder would favour low codes", () => {
  const words = [4_294_967_295, 4_294_000_000, 4_293_999_999];
  const code = randomCode((word) => {
    word[0] = words.shift() ?? 0;
  });
  expect(code).toBe("999999");
  expect(words).toEqual([]);
});

it("randomCode keeps leading zeros", () => {
  expect(randomCode((word) => void (word[0] = 1_000_042))).toBe("000042");
});

it("randomToken holds 256 bits in letters a cookie takes", () => {
  expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(randomToken()).not.toBe(randomToken());
});

it("sha256 is the digest in base64url", async () => {
  expect(await sha256("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
});
