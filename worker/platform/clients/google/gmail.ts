/** Gmail's API v1, as far as mail is found, read and written by it (https://developers.google.com/workspace/gmail/api/reference/rest/v1). */
import { base64url } from "jose";
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { nullishField } from "../nullish-field.ts";
import { askGoogle, type GoogleAnswer } from "./ask.ts";

/** One question's place: whose token, and until when anybody waits. */
export type GmailPlace = { env: Env; token: string; signal: AbortSignal };

/** Parts within parts of a message that are looked at. */
const DEPTH = 12;

/** What stands around an attachment in its answer. */
const AROUND_BYTES = 4 * 1024;

const Header = z.object({ name: z.string(), value: z.string() });
const Body = z.object({ attachmentId: nullishField(z.string()), size: nullishField(z.number()), data: nullishField(z.string()) });

const PartShape = {
  partId: nullishField(z.string()),
  mimeType: nullishField(z.string()),
  filename: nullishField(z.string()),
  headers: nullishField(z.array(Header)),
  body: nullishField(Body),
};
/** A part of a message; its own parts are read as they are reached, so no depth of them costs more than is looked at. */
const Part = z.object({ ...PartShape, parts: nullishField(z.array(z.unknown())) });
export type GmailPart = z.infer<typeof Part>;

const Message = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: nullishField(z.array(z.string())),
  snippet: nullishField(z.string()),
  /** Epoch milliseconds. */
  internalDate: nullishField(z.coerce.number()),
  payload: nullishField(Part),
});
export type GmailMessage = z.infer<typeof Message>;

const Threads = z.object({ threads: nullishField(z.array(z.object({ id: z.string() }))), nextPageToken: nullishField(z.string()) });
const Thread = z.object({ id: z.string(), messages: nullishField(z.array(Message)) });
export type GmailThread = z.infer<typeof Thread>;

const Sent = z.object({ id: z.string(), threadId: z.string() });
const Draft = z.object({ id: z.string(), message: nullishField(Sent) });
const Attachment = z.object({ data: z.string() });

const SHOWN_HEADERS = ["From", "To", "Cc", "Subject", "Date"];

/** A page of the threads that Gmail finds for a search as people write it there, the newest first. */
export async function findThreads(
  place: GmailPlace,
  { q, limit, page }: { q: string; limit: number; page: string | undefined },
): Promise<GoogleAnswer<{ ids: string[]; next: string | null }>> {
  const query = { q, maxResults: String(limit), ...(page !== undefined && { pageToken: page }) };
  const answer = await ask(place, { path: "/threads", query }, Threads);
  if (!answer.ok) return answer;
  const { threads, nextPageToken } = answer.value;
  return { ok: true, value: { ids: (threads ?? []).map(({ id }) => id), next: nextPageToken ?? null } };
}

/** A thread with its messages, oldest first; their texts only where it is `full`. */
export function readThread(place: GmailPlace, id: string, format: "full" | "metadata"): Promise<GoogleAnswer<GmailThread>> {
  const query = { format, ...(format === "metadata" && { metadataHeaders: SHOWN_HEADERS }) };
  return ask(place, { path: `/threads/${encodeURIComponent(id)}`, query }, Thread);
}

/** One message, whole. */
export function readMessage(place: GmailPlace, id: string): Promise<GoogleAnswer<GmailMessage>> {
  return ask(place, { path: `/messages/${encodeURIComponent(id)}`, query: { format: "full" } }, Message);
}

/** What a message's headers say that an answer to it needs. */
export function readHeaders(place: GmailPlace, id: string): Promise<GoogleAnswer<GmailMessage>> {
  const query = { format: "metadata", metadataHeaders: ["Message-ID", "References", "Subject"] };
  return ask(place, { path: `/messages/${encodeURIComponent(id)}`, query }, Message);
}

/** An attachment of at most so many bytes, as base64url. */
export async function readAttachment(
  place: GmailPlace,
  { messageId, attachmentId, bytesMax }: { messageId: string; attachmentId: string; bytesMax: number },
): Promise<GoogleAnswer<string>> {
  const path = `/messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(attachmentId)}`;
  const answer = await ask(place, { path, answerBytes: Math.ceil(bytesMax / 3) * 4 + AROUND_BYTES }, Attachment);
  return answer.ok ? { ok: true, value: answer.value.data } : answer;
}

/** A mail as Gmail takes it: base64url of RFC 5322, and the thread that it belongs to. */
export type RawMail = { raw: string; threadId?: string };

export function createDraft(place: GmailPlace, message: RawMail): Promise<GoogleAnswer<z.infer<typeof Draft>>> {
  return ask(place, { path: "/drafts", body: { message } }, Draft);
}

/** Sends a mail; in the place of a draft that is kept, it takes that away. */
export function sendMail(place: GmailPlace, message: RawMail, draftId: string | undefined): Promise<GoogleAnswer<z.infer<typeof Sent>>> {
  if (draftId !== undefined) return ask(place, { path: "/drafts/send", body: { id: draftId, message } }, Sent);
  return ask(place, { path: "/messages/send", body: message }, Sent);
}

/** All parts of a message, each before its own, to a depth that no real mail reaches. */
export function partsOf(message: GmailMessage): GmailPart[] {
  const walk = (part: GmailPart, depth: number): GmailPart[] => [
    part,
    ...(depth === DEPTH ? [] : (part.parts ?? [])).flatMap((given) => {
      const own = Part.safeParse(given);
      return own.success ? walk(own.data, depth + 1) : [];
    }),
  ];
  return message.payload ? walk(message.payload, 0) : [];
}

/** The value of a message's header, whatever the case of its name; empty where there is none. */
export function headerOf({ payload }: GmailMessage, name: string): string {
  return payload?.headers?.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value ?? "";
}

/** The bytes of what Gmail sends as base64url; null where it is none. */
export function fromBase64Url(data: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64url.decode(data));
  } catch {
    return null;
  }
}

type Question = { path: string; query?: Record<string, string | string[]>; body?: unknown; answerBytes?: number };

function ask<T>(
  { env, token, signal }: GmailPlace,
  { path, query = {}, body, answerBytes }: Question,
  answer: z.ZodMiniType<T>,
): Promise<GoogleAnswer<T>> {
  const url = new URL(`${configOf(env).google.gmailUrl}/gmail/v1/users/me${path}`);
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) url.searchParams.append(name, value);
  const asked = {
    service: "Gmail",
    url: url.href,
    token,
    ...(body !== undefined && { method: "POST" as const, body }),
    ...(answerBytes !== undefined && { answerBytes }),
  };
  return askGoogle(asked, answer, signal);
}
