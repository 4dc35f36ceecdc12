import { createHash } from "node:crypto";
import { platformFields } from "./platform-fields.ts";

/** The fields that only the platform writes. */
const PLATFORM_RESULTS = /^authentication-results:\s*mx\.cloudflare\.net\b/i;

/**
 * A mail as the platform hands it on: its own `Received` and results on top, a sender's copies of the latter taken away, and a Message-ID
 * made of the content where there is none. Without `isProven` its sender's domain has vouched for nothing.
 */
export function asPlatform(raw: Buffer, { client, isProven }: { client: string; isProven: boolean }): Buffer {
  const end = headerLength(raw);
  const fields = unfoldable(raw.subarray(0, end).toString("latin1")).filter((field) => !PLATFORM_RESULTS.test(field));
  const domain = /@([a-z0-9.-]+)/i.exec(fields.find((field) => /^from:/i.test(field)) ?? "")?.[1]?.toLowerCase() ?? "invalid";
  const result = isProven ? "pass" : "fail";
  const id = fields.some((field) => /^message-id:/i.test(field))
    ? []
    : [`Message-ID: <${createHash("sha256").update(raw).digest("hex").slice(0, 32)}@smtp.localhost>`];
  const header = [
    ...platformFields(
      `mx.cloudflare.net; dkim=${isProven ? "pass" : "none"} header.d=${domain}; dmarc=${result} header.from=${domain} policy.dmarc=none; spf=${result} smtp.mailfrom=${domain}`,
      `${client} (127.0.0.1)`,
    ),
    ...id,
    ...fields,
  ];
  return Buffer.concat([Buffer.from(`${header.join("\r\n")}\r\n`, "latin1"), raw.subarray(end)]);
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
