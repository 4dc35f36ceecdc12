import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";

/** The mail with the code that proves an additional address. It names nobody: who asked may have mistyped the address. */
export function codeMail({ to, code }: { to: string; code: string }): Mail {
  const use = `Somebody wants to add this address to their ${APP_NAME} account. If that is you, enter the code there; it is valid for 10 minutes.`;
  const ignore = "If it is not, ignore the mail: without the code nothing happens. Never pass it on.";
  return {
    to,
    subject: `${code} confirms your address for ${APP_NAME}`,
    text: `Your verification code for ${APP_NAME} is ${code}\n\n${use}\n\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      `<p>Your verification code for ${APP_NAME}</p>`,
      `<p style="font-size:32px;font-weight:600;letter-spacing:6px;margin:16px 0">${code}</p>`,
      `<p>${use}</p>`,
      `<p style="color:#57605a;font-size:14px">${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
