import type { AnswerMail } from "#shared/entities/mail.ts";

/** What is said of the mail that an answer went out as; `isBad` where it did not arrive. */
export function answerInWords({ state }: Pick<AnswerMail, "state">): { text: string; isBad: boolean } {
  switch (state) {
    case "sent":
      return { text: "Answered by mail", isBad: false };
    case "failed":
      return { text: "The answer was not sent", isBad: true };
    case "bounced":
      return { text: "The answer came back", isBad: true };
    case "complained":
      return { text: "The answer was marked as unwanted", isBad: true };
    default:
      return { text: "The answer is on its way", isBad: false };
  }
}
