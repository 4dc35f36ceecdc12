import { expect, it } from "vitest";
import { safeReturnUrl, shortReturnUrl } from "#shared/sign-in/return-url.ts";
import { SIGN_IN_FAILURES, signInFailureText } from "#shared/sign-in/sign-in-failures.ts";

const ORIGIN = "https://chat.example.com";

it.each([
  "/",
  "/c/123?q=a b#end",
  "/new?prompt=http%3A%2F%2Fevil.example",
  "/new?next=//evil.example",
  "/authors",
  "/apiary",
  "/ä/ö",
  "/c/%2e%2e",
])("safeReturnUrl keeps the path %j", (path) => {
  expect(safeReturnUrl(path, ORIGIN)).toBe(path);
});

it("safeReturnUrl reduces an absolute address of its own origin to the path", () => {
  expect(safeReturnUrl(`${ORIGIN}/c/1?a=b#c`, ORIGIN)).toBe("/c/1?a=b#c");
});

it.each([
  undefined,
  null,
  "",
  "c/1",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/\n/evil.example",
  "/c\r\nset-cookie: a=b",
  "/%09/evil.example",
  "/%5cevil.example",
  "/%2f/evil.example",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "https://evil.example/c/1",
  "http://chat.example.com/c/1",
  `${ORIGIN}.evil.example/`,
  `${ORIGIN}@evil.example/`,
  `${ORIGIN}//evil.example`,
  `${ORIGIN}/\\evil.example`,
  "/auth",
  "/auth/",
  "/auth/login?returnUrl=/c/1",
  "/auth?x",
  "/api/auth/google/start",
  `${ORIGIN}/auth/login`,
])("safeReturnUrl goes home instead of to %j", (value) => {
  expect(safeReturnUrl(value, ORIGIN)).toBe("/");
});

it.each(["/.//evil.example", "/%2e//evil.example", "/c/..//evil.example", "/@evil.example", "/;/evil.example", "/ /evil.example"])(
  "safeReturnUrl stays on the origin with %j, whatever a browser makes of its path",
  (value) => {
    const { origin, pathname } = new URL(safeReturnUrl(value, ORIGIN), ORIGIN);
    expect(origin).toBe(ORIGIN);
    expect(pathname).not.toMatch(/^\/\//);
  },
);

it("a way back is short where it goes into a cookie or a mail, counted as they hold it", () => {
  expect(shortReturnUrl(`/new?prompt=${"x".repeat(1_488)}`, ORIGIN)).toHaveLength(1_500);
  expect(shortReturnUrl(`/new?prompt=${"x".repeat(1_489)}`, ORIGIN)).toBe("/");
  expect(shortReturnUrl(`/new?prompt=${"ä".repeat(800)}`, ORIGIN)).toBe("/");
  expect(shortReturnUrl("//evil.example", ORIGIN)).toBe("/");
});

it("signInFailureText says nothing where nothing failed", () => {
  expect(signInFailureText(null)).toBeNull();
  expect(signInFailureText("")).toBeNull();
});

it("signInFailureText says why a sign-in failed", () => {
  expect(signInFailureText("cancelled")).toBe(SIGN_IN_FAILURES.cancelled);
});

it.each(["Call +1 555 0100 to unlock your account", "__proto__", "toString"])(
  "signInFailureText does not repeat %j from the address",
  (text) => {
    expect(signInFailureText(text)).toBe(SIGN_IN_FAILURES.failed);
  },
);
