import { expect, test } from "vitest";
import { chatIdOf } from "#web/lib/routing.tsx";

test("a chat's address names the chat, and no other does", () => {
  expect(["/c/a1", "/c/a1/", "/C/a1"].map(chatIdOf)).toEqual(["a1", "a1", "a1"]);
  expect(["/", "/new", "/c", "/c/", "/c/a1/b2", "/auth", "/x/c/a1"].map(chatIdOf)).toEqual(Array.from({ length: 7 }, () => null));
});
