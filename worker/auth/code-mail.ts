import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { escapeHtml } from "../http/escape-html.ts";

/**
 * The mail with a sign-in code, and a link for another browser; without a code it has the link alone. Scanners open links: it only leads
 * to a button.
 */
export function codeMail({ to, code, link }: { to: string; code: string | null; link: string }): Mail {
  const subject = code === null ? `Your link to sign in to ${APP_NAME}` : `${code} is your ${APP_NAME} code`;
  const ignore = "If you did not ask for this, ignore the mail: nobody can sign in without it. Never pass on the code or the link.";
  const why = "Too many wrong codes were entered for your address today, so this mail has no code. Nobody got in by them.";
  const use = "It is valid for 10 minutes and works once, in the browser that asked for it.";
  const elsewhere = code === null ? "Sign in by this link within 10 minutes, in any browser:" : "Or sign in by this link, in any browser:";
  return {
    to,
    subject,
    text: `${code === null ? why : `Your sign-in code for ${APP_NAME} is ${code}\n\n${use}`}\n\n${elsewhere}\n\n${link}\n\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      ...(code === null
        ? [`<p>${why}</p>`]
        : [
            `<p>Your sign-in code for ${APP_NAME}</p>`,
            `<p style="font-size:32px;font-weight:600;letter-spacing:6px;margin:16px 0">${code}</p>`,
            `<p>${use}</p>`,
          ]),
      `<p>${elsewhere}</p>`,
      `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="background:#256b48;color:#fff;padding:10px 16px;border-radius:8px;text-decoration:none">Sign in to ${APP_NAME}</a></p>`,
      `<p style="color:#57605a;font-size:14px">${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
