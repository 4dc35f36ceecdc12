import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { letter } from "../mail/letter.ts";

/** Says that an account is deleted, and nothing of what it held. */
export function farewellMail({ to, origin }: { to: string; origin: string }): Mail {
  return letter({
    to,
    subject: `Your ${APP_NAME} account is deleted`,
    paragraphs: [
      `Your ${APP_NAME} account and everything that belonged to it are deleted. Nothing of it can be brought back.`,
      "You can sign in with this address at any time: it makes a new, empty account.",
    ],
    button: { label: `Open ${APP_NAME}`, url: origin },
    footnote: "This is the last mail about this account.",
  });
}
