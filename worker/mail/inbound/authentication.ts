/** Whether a mail is from where its From says, by what the platform found out as it took the mail; and what stands above it. */
import type { MailAuthentication } from "#shared/entities/mail.ts";
import type { Header } from "./mail-headers.ts";

/** Who writes the result that is believed. */
const AUTHORITY = "mx.cloudflare.net";
/** The domains of which the platform's own hop and both of its seals name one. */
const PLATFORM_HOST = /\bby\s+(?:[a-z0-9-]+\.)*(cloudflare-email\.(?:net|org|com))(?![\w.-])/i;
const SEAL_DOMAIN = /(?:^|;)\s*d\s*=\s*([a-z0-9.-]+)\s*(?:;|$)/i;
/** What the platform puts on top of a mail, in this order. */
const PLATFORM_FIELDS = [
  "received",
  "arc-seal",
  "arc-message-signature",
  "arc-authentication-results",
  "received-spf",
  "authentication-results",
] as const;

const NO_RESULT: MailAuthentication = { result: "none", by: null };
const NOT_PROVEN: MailAuthentication = { result: "fail", by: null };

/**
 * Believes the platform's `Authentication-Results` where it stands among the fields that the platform puts on top, all of them and in
 * their order, and where the results that it sealed for later hops say the same: where it wrote none, a sender's own copies would come
 * next. Proven is an aligned DMARC or DKIM pass of the From domain (RFC 8601, RFC 9989); what is missing proves nothing.
 */
export function platformAuthentication(headers: readonly Header[], fromAddress: string): MailAuthentication {
  const found = trustedResults(headers);
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1).toLowerCase();
  if (found === null || domain === "") return NO_RESULT;
  const by = proofOf(found.results, domain);
  return by !== null && proofOf(found.sealed, domain) !== null ? { result: "pass", by } : NOT_PROVEN;
}

function proofOf(results: readonly MethodResult[], domain: string): MailAuthentication["by"] {
  for (const { method, result, properties } of results) {
    if (result !== "pass") continue;
    if (method === "dmarc" && properties["header.from"] === domain) return "dmarc";
    if (method === "dkim" && isAligned(properties["header.d"] ?? "", domain)) return "dkim";
  }
  return null;
}

function trustedResults(headers: readonly Header[]): { results: MethodResult[]; sealed: MethodResult[] } | null {
  const top = headers.slice(0, PLATFORM_FIELDS.length);
  if (!PLATFORM_FIELDS.every((name, index) => top[index]?.name === name)) return null;
  const [hop = "", seal = "", signature = "", sealed = "", , results = ""] = top.map(({ value }) => value);
  const host = PLATFORM_HOST.exec(hop)?.[1]?.toLowerCase();
  if (host === undefined || [seal, signature].some((value) => SEAL_DOMAIN.exec(value)?.[1]?.toLowerCase() !== host)) return null;
  const [instance, ...sealedRest] = splitResults(sealed);
  const isOneHop = [seal, signature, `${instance};`].every((value) => instanceOf(value) === instanceOf(seal));
  const outerResults = readResults(splitResults(results));
  const sealedResults = isOneHop && instanceOf(seal) !== null ? readResults(sealedRest) : null;
  return outerResults && sealedResults && { results: outerResults, sealed: sealedResults };
}

/** The number of the seal that stands where the platform's does. */
export function topSealNumber(headers: readonly Header[]): number | null {
  const number = headers[1]?.name === "arc-seal" ? instanceOf(headers[1].value) : null;
  return number === null ? null : Number(number);
}

/** The place of a seal in its chain. */
function instanceOf(value: string): string | null {
  return /^\s*i\s*=\s*(\d{1,2})\s*;/.exec(value)?.[1] ?? null;
}

function readResults([authority, ...results]: string[]): MethodResult[] | null {
  if (authority?.trim().split(/\s/)[0]?.toLowerCase() !== AUTHORITY) return null;
  return results.map(toResult).slice(0, firstUntrusted(results));
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
export function isAligned(signer: string, domain: string): boolean {
  return signer === domain || (signer.includes(".") && domain.endsWith(`.${signer}`));
}

/** Fields of which the log has the shape: what the platform writes, and a few of the sender's below. */
const SHOWN_FIELDS = 12;

/** What stands on top of a mail, for an operator: the fields' names, whose they say they are, and results; no address and no text of anybody's. */
export function describeTopHeaders(headers: readonly Header[]): string[] {
  return headers.slice(0, SHOWN_FIELDS).map(({ name, value }) => {
    const field = /^[a-z0-9-]{1,40}$/.test(name) ? name : "?";
    if (name === "received") return `${field} by ${zoneIn(/\bby\s+([^\s;]+)/i.exec(value)?.[1])}`;
    if (name === "arc-seal" || name === "arc-message-signature")
      return `${field} i=${instanceOf(value) ?? "?"} d=${zoneIn(SEAL_DOMAIN.exec(value)?.[1])}`;
    if (!name.endsWith("authentication-results")) return field;
    const [authority, ...results] = splitResults(value.replace(/^\s*i\s*=\s*\d+\s*;/, ""));
    const verdicts = results
      .slice(0, firstUntrusted(results))
      .flatMap((text) => /^\s*([a-z]{1,10}\s*=\s*[a-z]{1,10})\b/i.exec(text)?.[1] ?? []);
    return [field, hostIn(authority?.trim().split(/\s/)[0]), ...verdicts.slice(0, 8)].join(" ");
  });
}

/** A host's last two labels: what stands before them may be somebody's machine. */
function zoneIn(host: string | undefined): string {
  const labels = hostIn(host).split(".");
  return labels.length < 2 ? "?" : labels.slice(-2).join(".");
}

function hostIn(text: string | undefined): string {
  return text !== undefined && /^[a-z0-9.-]{1,100}$/i.test(text) ? text.toLowerCase() : "?";
}
