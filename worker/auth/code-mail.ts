import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";

/** The mail with a sign-in code. It has no link: scanners open links, and a code must be typed by someone. */
export function codeMail(to: string, code: string): Mail {
  const subject = `${code} is your ${APP_NAME} code`;
  const use = "It is valid for 10 minutes and works once.";
  const ignore = "If you did not ask for it, ignore this mail: nobody can sign in without the code.";
  return {
    to,
    subject,
    text: `Your sign-in code for ${APP_NAME} is ${code}\n\n${use}\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      `<p>Your sign-in code for ${APP_NAME}</p>`,
      `<p style="font-size:32px;font-weight:600;letter-spacing:6px;margin:16px 0">${code}</p>`,
      `<p>${use}<br>${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
