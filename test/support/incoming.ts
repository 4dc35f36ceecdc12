import { env } from "cloudflare:workers";
import type { Mail } from "#shared/entities/mail.ts";
import { getMail, listMails } from "#shared/contracts/chat/mails.ts";
import type { Env } from "#worker/platform/env.ts";
import worker from "#worker/index.ts";
import { type PlatformDomain, withPlatformFields } from "#test/simulators/smtp/platform-fields.ts";
import { type MailKeys, type Signing, signMail } from "#test/simulators/smtp/sign-mail.ts";
import { until } from "./until.ts";
import type { Client } from "./worker.ts";

/** What a mail says; `proof` is what the platform found out, and `fields` are further ones of the sender's own. */
export type Letter = {
  from: string;
  to: string;
  subject?: string;
  text?: string;
  messageId?: string;
  envelopeFrom?: string;
  proof?: string;
  /** Which of its domains the platform names. */
  domain?: PlatformDomain;
  fields?: string[];
  /** Takes the place of the text with its header. */
  body?: string;
};

/** The platform's word that a mail is from its sender's domain. */
export function authenticationResultFor(from: string): string {
  const domain = from.replace(/^.*@/, "").replace(/>$/, "");
  return `Authentication-Results: mx.cloudflare.net; dkim=pass header.d=${domain} header.s=s1; dmarc=pass header.from=${domain} policy.dmarc=none; spf=pass smtp.mailfrom=${from}`;
}

/** What a mail's sender wrote. */
export function mailSource({ from, to, subject = "Subject", text = "Text.", messageId, fields = [], body }: Letter): string {
  const id = messageId ?? `${crypto.randomUUID()}@example.com`;
  return [
    "Received: from laptop by mail.example.com",
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    ...(id === "" ? [] : [`Message-ID: <${id}>`]),
    "Date: Sun, 22 Nov 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
    ...fields,
    body ?? `Content-Type: text/plain; charset=utf-8\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`,
  ].join("\r\n");
}

let keys: MailKeys | null = null;

/** What the mail domains that DNS knows here sign with. */
export async function mailKeys(): Promise<MailKeys> {
  keys ??= await (await fetch(`${env.DNS_SIMULATOR}/control/mail-keys`)).json<MailKeys>();
  return keys;
}

/** What the signatures of these tests cover unless they say otherwise. */
export const SIGNED_FIELDS = "from:to:cc:reply-to:subject:date:message-id:mime-version:content-type";

/** The same with what its sender's server signs it by, above it. */
export async function signed(source: string | Uint8Array, from: string, signings: Partial<Signing>[] = [{}]): Promise<Uint8Array> {
  const domain = from.replace(/^.*@/, "").replace(/>$/, "");
  const full = signings.map((signing) => ({ domain, selector: "polylogue", fields: SIGNED_FIELDS, ...signing }));
  return signMail(typeof source === "string" ? new TextEncoder().encode(source) : source, full, await mailKeys());
}

/** A letter that its sender's server signed. */
export function signedSource(letter: Letter, signings: Partial<Signing>[] = [{}]): Promise<Uint8Array> {
  return signed(mailSource(letter), letter.from, signings);
}

export type Delivered = { rejected: string | null };

/** The platform's part in a delivery: what it found out, and which of its domains it names; it says that the sender is proven where nothing is given. */
type Delivery = Pick<Letter, "from" | "to" | "proof" | "domain">;

/** Hands a source to the Worker's own handler as the platform does, its fields above it. Rejects where its sender would try again. */
export async function deliverSource(source: string | Uint8Array, handing: Delivery, deployment: Env = env): Promise<Delivered> {
  const { proof = authenticationResultFor(handing.from), domain } = handing;
  // Without a word about the sender the platform writes its hop alone.
  const results = proof === "" ? null : proof.replace(/^Authentication-Results:\s*/, "");
  const own = typeof source === "string" ? new TextEncoder().encode(source) : source;
  return deliverBytes(await withPlatformFields(own, { results, ...(domain && { domain }) }, await mailKeys()), handing, deployment);
}

/** Hands bytes to the Worker's own handler as they are, in chunks of 64 KB. */
export async function deliverBytes(
  bytes: Uint8Array,
  { from, to }: { from: string; to: string },
  deployment: Env = env,
): Promise<Delivered> {
  let rejected: string | null = null;
  let at = 0;
  const raw = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += 65_536)));
    },
  });
  const message = {
    from,
    to,
    raw,
    rawSize: bytes.length,
    headers: new Headers(),
    canBeForwarded: false,
    setReject: (reason: string) => void (rejected = reason),
    forward: () => Promise.reject(new Error("Nothing is forwarded")),
    reply: () => Promise.reject(new Error("Nothing is replied at once")),
  };
  await worker.email(message, deployment);
  return { rejected };
}

/** Mails a letter to the Worker. */
export function deliver(letter: Letter, deployment: Env = env): Promise<Delivered> {
  return deliverSource(mailSource(letter), handingOf(letter), deployment);
}

function handingOf({ from, envelopeFrom = from, to, proof = authenticationResultFor(from), domain }: Letter): Delivery {
  return { from: envelopeFrom, to, proof, ...(domain && { domain }) };
}

/** The address of a chat. */
export async function addressOfChat(client: Client, id: string): Promise<string> {
  return (await client.take(listMails, { params: { id } })).address ?? "";
}

/** The newest mail that came in to a chat, whole. */
export async function newestMail(client: Client, id: string, isReady: (mail: Mail) => boolean = () => true): Promise<Mail> {
  let found: Mail | undefined;
  await until("the mail", async () => {
    const newest = (await client.take(listMails, { params: { id } })).emails.find(({ direction }) => direction === "in");
    found = newest && (await client.take(getMail, { params: { id, mailId: newest.id } })).email;
    return found !== undefined && isReady(found);
  });
  if (!found) throw new Error("No mail came.");
  return found;
}

/** Mails a letter that its sender's server signed, and of which the platform says nothing. */
export async function deliverSigned(letter: Letter, signings: Partial<Signing>[] = [{}], deployment: Env = env): Promise<Delivered> {
  return deliverSource(await signedSource(letter, signings), handingOf({ proof: "", ...letter }), deployment);
}
