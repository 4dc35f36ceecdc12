import { env } from "cloudflare:workers";
import type { Mail } from "#shared/entities/mail.ts";
import { getMail, listMails } from "#shared/contracts/chat/mails.ts";
import type { Env } from "#worker/env.ts";
import worker from "#worker/index.ts";
import { platformFields } from "#test/simulators/smtp/platform-fields.ts";
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
  fields?: string[];
  /** Takes the place of the text with its header. */
  body?: string;
};

/** The platform's word that a mail is from its sender's domain. */
export function provenFor(from: string): string {
  const domain = from.replace(/^.*@/, "").replace(/>$/, "");
  return `Authentication-Results: mx.cloudflare.net; dkim=pass header.d=${domain} header.s=s1; dmarc=pass header.from=${domain} policy.dmarc=none; spf=pass smtp.mailfrom=${from}`;
}

/** A mail's source as the platform hands it over. */
export function sourceOf({ from, to, subject = "Subject", text = "Text.", messageId, proof, fields = [], body }: Letter): string {
  const id = messageId ?? `${crypto.randomUUID()}@example.com`;
  return [
    ...platformTop(proof ?? provenFor(from)),
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

/** Without a word about the sender the platform writes its hop alone. */
function platformTop(proof: string): string[] {
  const fields = platformFields(proof.replace(/^Authentication-Results:\s*/, ""));
  return proof === "" ? fields.slice(0, 1) : fields;
}

export type Delivered = { rejected: string | null };

/** Hands a source to the Worker's own handler, in pieces of 64 KB. Rejects where its sender would try again. */
export async function deliverSource(
  source: string | Uint8Array,
  { from, to }: { from: string; to: string },
  deployment: Env = env,
): Promise<Delivered> {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
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
  return deliverSource(sourceOf(letter), { from: letter.envelopeFrom ?? letter.from, to: letter.to }, deployment);
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
