import type { Mail } from "#worker/platform/clients/mailer.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";

/** Letters, digits and what names hold besides, nothing that a mail program takes for an address; more than 40 characters are room for a message. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} '’&-]{0,39}$/u;
/** More than three digits: a telephone number or a sum. */
const MANY_DIGITS = /(?:\p{N}\P{N}*){4}/u;

/** How a mail names who it comes from: by their proven address, and by name only where the name cannot pose as anything else. */
export function nameInMail({ name, email }: { name: string; email: string }): string {
  return isPlainName(name) ? `${name.trim()} (${email})` : email;
}

/** True for a name that cannot be taken for an address, a link or a sentence. */
export function isPlainName(name: string): boolean {
  const text = name.trim();
  return PLAIN_NAME.test(text) && !MANY_DIGITS.test(text);
}

type Link = { label: string; url: string };

/** What a mail of the product's own says: paragraphs before and after one button, a small last line, and a link below it. */
export type Letter = { to: string; subject: string; paragraphs: string[]; button: Link; footnote: string; link?: Link };

/** The mail in the product's look, and as plain text beside it. */
export function letter({ to, subject, paragraphs, button, footnote, link }: Letter): Mail {
  return {
    to,
    subject,
    text: `${[...paragraphs, button.url, footnote, ...(link ? [`${link.label}: ${link.url}`] : [])].join("\n\n")}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="background:#256b48;color:#fff;padding:10px 16px;border-radius:8px;text-decoration:none">${escapeHtml(button.label)}</a></p>`,
      `<p style="color:#57605a;font-size:14px">${escapeHtml(footnote)}</p>`,
      ...(link
        ? [`<p style="font-size:14px"><a href="${escapeHtml(link.url)}" style="color:#57605a">${escapeHtml(link.label)}</a></p>`]
        : []),
      "</div>",
    ].join(""),
  };
}
