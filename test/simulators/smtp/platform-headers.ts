import { createHash } from "node:crypto";
import { mailKeys } from "../dns/mail-keys.ts";
import { type PlatformDomain, withPlatformFields } from "./platform-fields.ts";
import { signMail } from "./sign-mail.ts";

/** The fields that only the platform writes. */
const PLATFORM_RESULTS = /^authentication-results:\s*mx\.cloudflare\.net\b/i;

/** What a sender's server signs. */
const SIGNED = "from:to:cc:subject:date:message-id:mime-version:content-type";

export type Handing = {
  client: string;
  /** Whether the sender's domain vouches for the mail: by a signature, and by what the platform found out. */
  isProven: boolean;
  /** Where the platform writes its results; null where it writes none. */
  domain: PlatformDomain | null;
};

/**
 * A mail as the platform hands it on: signed by its sender's server, the platform's own `Received` and results on top, a sender's copies of
 * the latter taken away, and a Message-ID made of the content where there is none.
 */
export async function asPlatform(raw: Buffer, { client, isProven, domain }: Handing): Promise<Buffer> {
  const end = headerLength(raw);
  const fields = unfoldable(raw.subarray(0, end).toString("latin1")).filter((field) => !PLATFORM_RESULTS.test(field));
  const sender = /@([a-z0-9.-]+)/i.exec(fields.find((field) => /^from:/i.test(field)) ?? "")?.[1]?.toLowerCase() ?? "invalid";
  const result = isProven ? "pass" : "fail";
  if (!fields.some((field) => /^message-id:/i.test(field)))
    fields.unshift(`Message-ID: <${createHash("sha256").update(raw).digest("hex").slice(0, 32)}@smtp.localhost>`);
  const results = `mx.cloudflare.net; dkim=${isProven ? "pass" : "none"} header.d=${sender}; dmarc=${result} header.from=${sender} policy.dmarc=none; spf=${result} smtp.mailfrom=${sender}`;
  const sent = Buffer.concat([Buffer.from(`${fields.join("\r\n")}\r\n`, "latin1"), raw.subarray(end)]);
  const signings = isProven ? [{ domain: sender, selector: "polylogue", fields: SIGNED }] : [];
  const signed = await signMail(sent, signings, mailKeys().secret);
  const found = { results: domain && results, client: `${client} (127.0.0.1)`, ...(domain && { domain }) };
  return Buffer.from(await withPlatformFields(signed, found, mailKeys().secret));
}

/** Where the empty line begins that ends the header. */
function headerLength(raw: Buffer): number {
  const at = raw.indexOf("\r\n\r\n");
  return at === -1 ? raw.length : at + 2;
}

/** The fields of a header, each with the lines that it is folded over. */
function unfoldable(header: string): string[] {
  return header.split(/\r\n(?![ \t])/).filter((field) => field !== "");
}
