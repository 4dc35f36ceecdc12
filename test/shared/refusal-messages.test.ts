import { expect, test } from "vitest";
import * as z from "zod/mini";
import { validationMessage, issueMessage } from "#worker/platform/http/validation-messages.ts";

const Input = z.strictObject({
  name: z.optional(z.string().check(z.maxLength(3), z.minLength(1))),
  title: z.optional(z.string().check(z.maxLength(3, "That title is too long."))),
  text: z.optional(z.string().check(z.maxLength(1_000, "Shorten it to 1,000 characters."))),
  ids: z.optional(z.array(z.object({ id: z.string().check(z.regex(/^a$/)) })).check(z.maxLength(1))),
  count: z.optional(z.number().check(z.int(), z.maximum(9), z.minimum(2))),
  view: z.optional(z.enum(["all", "inbox"])),
  either: z.optional(
    z.union([z.object({ on: z.boolean(), how: z.string() }), z.object({ off: z.array(z.string()).check(z.maxLength(2)) })]),
  ),
});

function refusalOf(input: unknown): string | undefined {
  const issue = Input.safeParse(input, { error: validationMessage }).error?.issues[0];
  return issue && issueMessage(issue);
}

test.each<[unknown, string]>([
  [{ name: "four" }, '"name" takes at most 3 characters.'],
  [{ name: "" }, '"name" takes at least 1 character.'],
  [{ name: 1 }, '"name" has to be text.'],
  [{ title: "four" }, "That title is too long. At most 3 characters."],
  [{ text: "x".repeat(1_001) }, "Shorten it to 1,000 characters."],
  [{ ids: [{ id: "a" }, { id: "a" }] }, '"ids" takes at most 1 entry.'],
  [{ ids: [{ id: "b" }] }, '"ids.0.id" is not valid.'],
  [{ ids: [{}] }, '"ids.0.id" is missing.'],
  [{ count: 10 }, '"count" takes at most 9.'],
  [{ count: 1 }, '"count" takes at least 2.'],
  [{ count: 2.5 }, '"count" has to be a whole number.'],
  [{ view: "none" }, '"view" has to be one of: all, inbox.'],
  [{ either: { off: ["a", "b", "c"] } }, '"off" takes at most 2 entries.'],
  [{ either: { on: true } }, '"how" is missing.'],
  [{ either: 1 }, '"either" is not valid.'],
  [{ more: 1 }, 'The request takes no "more".'],
  ["text", "The request has to be an object."],
])("%j is refused in words that name the field and its limit", (input, words) => expect(refusalOf(input)).toBe(words));
