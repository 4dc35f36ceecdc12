import { APP_NAME } from "#shared/app.ts";
import type { Mail } from "../clients/mailer.ts";
import { escapeHtml } from "../http/escape-html.ts";

/** Letters, digits and what names hold besides: nothing that a mail program takes for an address. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} '’-]{0,59}$/u;

/**
 * The mail that invites an address to a shared chat. It says who invites by their proven address, by name only where the name
 * cannot pose as anything else, and nothing of the chat: the words in it are ours alone.
 */
export function invitationMail({ to, name, from, url }: { to: string; name: string; from: string; url: string }): Mail {
  const who = PLAIN_NAME.test(name.trim()) ? `${name.trim()} (${from})` : from;
  const what = `${who} shared a chat with you on ${APP_NAME}.`;
  const how = `Sign in with this address, ${to}, and the chat is in your list.`;
  const ignore = "If you do not know who this is, ignore this mail: nothing happens without you.";
  return {
    to,
    subject: `${who} shared a chat with you`,
    text: `${what}\n\n${how}\n\n${url}\n\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      `<p>${escapeHtml(what)}</p>`,
      `<p>${escapeHtml(how)}</p>`,
      `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="background:#256b48;color:#fff;padding:10px 16px;border-radius:8px;text-decoration:none">Open the chat</a></p>`,
      `<p style="color:#57605a;font-size:14px">${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
