/** Whether a mail is from where its From says, by what the platform found out as it took the mail. */
import type { MailAuthentication } from "#shared/entities/mail.ts";
import type { Header } from "./mail-headers.ts";

/** Who writes the result that is believed. */
const AUTHORITY = "mx.cloudflare.net";
/** What the platform puts above the sender's own fields. */
const PLATFORM_FIELD = /^(?:received|arc-[a-z-]+|received-spf|authentication-results|x-cf-[a-z-]+)$/;
/** What its own `Received` says; every other one is a sender's. */
const PLATFORM_HOST = /\bby\s+(?:[a-z0-9-]+\.)*cloudflare-email\.net\b/i;

const NOTHING_SAID: MailAuthentication = { result: "none", by: null };
const NOT_PROVEN: MailAuthentication = { result: "fail", by: null };

/**
 * Believes the first `Authentication-Results` of the platform among the fields that it put on top, and no other: a sender's own copies
 * stand below. Proven is an aligned DMARC or DKIM pass of the From domain (RFC 8601, RFC 9989); what is missing proves nothing.
 */
export function authenticate(headers: readonly Header[], fromAddress: string): MailAuthentication {
  const found = trustedResults(headers);
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1).toLowerCase();
  if (found === null || domain === "") return NOTHING_SAID;
  for (const { method, result, properties } of found) {
    if (result !== "pass") continue;
    if (method === "dmarc" && properties["header.from"] === domain) return { result: "pass", by: "dmarc" };
    if (method === "dkim" && isAligned(properties["header.d"] ?? "", domain)) return { result: "pass", by: "dkim" };
  }
  return NOT_PROVEN;
}

function trustedResults(headers: readonly Header[]): MethodResult[] | null {
  let hops = 0;
  for (const { name, value } of headers) {
    if (!PLATFORM_FIELD.test(name)) return null;
    if (name === "received") {
      hops += 1;
      if (hops > 1 || !PLATFORM_HOST.test(value)) return null;
    }
    if (name !== "authentication-results" || hops === 0) continue;
    const [authority, ...results] = splitResults(value);
    if (authority?.trim().split(/\s/)[0]?.toLowerCase() === AUTHORITY) return results.map(toResult).slice(0, firstUntrusted(results));
  }
  return null;
}

/** From `spf` on, the results quote what the sender chose freely: nothing after it is believed. */
function firstUntrusted(results: readonly string[]): number {
  const at = results.findIndex((text) => /^\s*(?:spf|arc)\s*=/i.test(text));
  return at === -1 ? results.length : at;
}

type MethodResult = { method: string; result: string; properties: Record<string, string> };

function toResult(text: string): MethodResult {
  const [first = "", ...others] = text.trim().split(/\s+/);
  const [method = "", result = ""] = first.toLowerCase().split("=");
  const properties = Object.fromEntries(
    others.flatMap((part) => {
      const at = part.indexOf("=");
      return at === -1
        ? []
        : [
            [
              part.slice(0, at).toLowerCase(),
              part
                .slice(at + 1)
                .replaceAll('"', "")
                .toLowerCase(),
            ],
          ];
    }),
  );
  return { method, result, properties };
}

/** The parts between semicolons, without comments; neither stands within a quoted text. */
function splitResults(value: string): string[] {
  const parts = [""];
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\") {
      at += 1;
      continue;
    }
    if (character === '"' && depth === 0) isQuoted = !isQuoted;
    if (!isQuoted && character === "(") depth += 1;
    else if (!isQuoted && character === ")" && depth > 0) depth -= 1;
    else if (!isQuoted && depth === 0 && character === ";") parts.push("");
    else if (depth === 0) parts.push((parts.pop() ?? "") + character);
  }
  return parts;
}

/** A signature of the From domain itself or of one above it. One of a domain below it proves less: others may have been given that one. */
function isAligned(signer: string, domain: string): boolean {
  return signer === domain || (signer.includes(".") && domain.endsWith(`.${signer}`));
}
