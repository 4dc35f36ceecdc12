import { arcSetOf, type MailKeys } from "./sign-mail.ts";

/** The domains that the platform's own servers name. */
export type PlatformDomain = "cloudflare-email.net" | "cloudflare-email.org" | "cloudflare-email.com";

export type PlatformShape = { domain?: PlatformDomain; client?: string; set?: readonly [string, string, string] };

/**
 * What the platform puts above a mail's own fields, in its order: `results` is what it found out, beginning with its own name; null where
 * it says nothing of that, as some deployments do, and writes its hop alone. Without `set` nothing is sealed: anybody can write as much.
 */
export function platformFields(results: string | null, { domain = DOMAIN, client = CLIENT, set }: PlatformShape = {}): string[] {
  const hop = `Received: from ${client} by ${domain} (cloudflare) id abc`;
  if (results === null) return [hop];
  const unsealed = [
    `ARC-Seal: i=1; a=rsa-sha256; s=${SELECTOR}; d=${domain}; cv=none; b=abc`,
    `ARC-Message-Signature: i=1; a=rsa-sha256; s=${SELECTOR}; d=${domain}; c=relaxed/relaxed; h=From:To; bh=abc; b=abc`,
    `ARC-Authentication-Results: i=1; ${results}`,
  ];
  return [hop, ...(set ?? unsealed), "Received-SPF: none (mx.cloudflare.net: no record)", `Authentication-Results: ${results}`];
}

/** A mail with all of that above it, sealed as the platform does; `sealedAt` in epoch seconds, null for a signature that does not say. */
export async function withPlatformFields(
  own: Uint8Array,
  { results, domain = DOMAIN, client = CLIENT, sealedAt = Math.floor(Date.now() / 1000), fields = SEALED_FIELDS }: PlatformSeal,
  keys: MailKeys,
): Promise<Uint8Array> {
  const tags = sealedAt === null ? "" : `t=${sealedAt}; x=${sealedAt + WEEK_S};`;
  const set = results === null ? undefined : await arcSetOf(own, { domain, selector: SELECTOR, results, tags, fields }, keys);
  const top = new TextEncoder().encode(`${platformFields(results, { domain, client, set }).join("\r\n")}\r\n`);
  const bytes = new Uint8Array(top.length + own.length);
  bytes.set(top);
  bytes.set(own, top.length);
  return bytes;
}

type PlatformSeal = { results: string | null; domain?: PlatformDomain; client?: string; sealedAt?: number | null; fields?: string };

const SEALED_FIELDS = "from:to:cc:subject:date:message-id:reply-to:mime-version:content-type:dkim-signature";

const WEEK_S = 7 * 24 * 60 * 60;
const DOMAIN = "cloudflare-email.net";
const SELECTOR = "cf2024-1";
const CLIENT = "mail.example.com (203.0.113.7)";
