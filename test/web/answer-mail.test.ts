import { expect, test } from "vitest";
import { mailStatus } from "#web/features/mail/mails/answered-by-mail.tsx";

test.each([
  ["sent", "Answered by mail", false],
  ["queued", "The answer is on its way", false],
  ["failed", "The answer was not sent", true],
  ["bounced", "The answer came back", true],
  ["complained", "The answer was marked as unwanted", true],
] as const)("an answer that is %s reads “%s”", (state, text, isBad) => {
  expect(mailStatus({ state })).toEqual({ text, isBad });
});
