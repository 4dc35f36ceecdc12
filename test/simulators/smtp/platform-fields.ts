/** What the platform puts above a mail's own fields, in its order: `results` is what it found out, beginning with its own name. */
export function platformFields(results: string, client = "mail.example.com (203.0.113.7)"): string[] {
  return [
    `Received: from ${client} by cloudflare-email.net (cloudflare) id abc`,
    "ARC-Seal: i=2; a=rsa-sha256; s=cf2024-1; d=cloudflare-email.net; cv=pass; b=abc",
    "ARC-Message-Signature: i=2; a=rsa-sha256; s=cf2024-1; d=cloudflare-email.net; c=relaxed/relaxed; h=From:To; bh=abc; b=abc",
    `ARC-Authentication-Results: i=2; ${results}`,
    "Received-SPF: none (mx.cloudflare.net: no record)",
    `Authentication-Results: ${results}`,
  ];
}
