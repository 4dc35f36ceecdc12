import { expect, it } from "vitest";
import { nameInMail } from "#worker/platform/letters/letter.ts";

const email = "ada@example.com";

it.each([
  ["Ada Lovelace", true],
  ["Anne-Marie O’Neil", true],
  ["李小龙", true],
  ["Agent 007", true],
  [` ${"x".repeat(40)} `, true],
  ["Your refund of 500 dollars waits call 1 800 555 0100", false],
  ["Call 1 800 555 0100", false],
  ["Rufen Sie ٠١٢٣ an", false],
  ["Your account is locked please answer at once", false],
  ["x".repeat(41), false],
  ["pay.example", false],
  ["Bank <bank@example.com>", false],
])("a mail names %j: %s", (name, isNamed) => {
  expect(nameInMail({ name, email })).toBe(isNamed ? `${name.trim()} (${email})` : email);
});
