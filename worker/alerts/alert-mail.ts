import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { isPlainName, letter } from "../mail/letter.ts";
import { cleanSubject } from "../mail/subject.ts";
import type { Alert } from "./alert.ts";

type Addressed = { to: string; timeZone: string; link: string };

/** The mail about one thing that decides who gets into an account, with its one button. */
export function alertMail({ what, detail, at }: Pick<Alert, "what" | "detail" | "at">, { to, timeZone, link }: Addressed): Mail {
  const { subject, said } = WORDS[what](detail);
  return letter({
    to,
    subject: cleanSubject(subject),
    paragraphs: [
      `${said} It was ${timeIn(timeZone, at)}.`,
      "If that was you, there is nothing to do. If not, press the button: the page behind it signs you out everywhere and ends all keys.",
    ],
    button: { label: "This wasn\u2019t me", url: link },
    footnote: `You get this mail because it is about who gets into your ${APP_NAME} account. Such mails cannot be switched off.`,
  });
}

const WORDS: Record<Alert["what"], (detail: string) => { subject: string; said: string }> = {
  browser: (browser) => ({
    subject: `New sign-in to your ${APP_NAME} account`,
    said: `Somebody signed in to your account from a browser that is new to it: ${browser}.`,
  }),
  key: (name) => ({
    subject: `A new key for your ${APP_NAME} account`,
    said: `A key was made by which another program acts in your account${isPlainName(name) ? `, named \u2018${name.trim()}\u2019` : ""}.`,
  }),
  address: (email) => ({
    subject: `An address was added to your ${APP_NAME} account`,
    said: `What is mailed from ${email} counts as yours from now on.`,
  }),
  "address-gone": (email) => ({
    subject: `An address was removed from your ${APP_NAME} account`,
    said: `What is mailed from ${email} no longer counts as yours.`,
  }),
  number: (number) => ({
    subject: `A number was added to your ${APP_NAME} account`,
    said: `What is written in WhatsApp from ${number} counts as yours from now on.`,
  }),
  "number-gone": (number) => ({
    subject: `A number was removed from your ${APP_NAME} account`,
    said: `What is written in WhatsApp from ${number} no longer counts as yours.`,
  }),
  linked: (email) => ({
    subject: `A Google sign-in was added to your ${APP_NAME} account`,
    said: `Somebody signed in to your account with Google as ${email}. From now on that Google account opens yours; Settings > Linked sign-ins ends it.`,
  }),
  "linked-gone": (email) => ({
    subject: `A Google sign-in was removed from your ${APP_NAME} account`,
    said: `The Google account ${email ? `${email} ` : ""}no longer opens yours, and other browsers were signed out.`,
  }),
};

function timeIn(timeZone: string, at: string): string {
  const format = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  return `${new Intl.DateTimeFormat("en-GB", { ...format, timeZone }).format(new Date(at))} (${timeZone})`;
}
