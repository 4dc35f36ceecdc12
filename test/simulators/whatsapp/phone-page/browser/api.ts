import type { Conversation } from "../../conversations.ts";

/** What the page gets of a conversation. */
export type Phone = Pick<Conversation, "number" | "wa_id" | "name" | "messages"> & { is_typing: boolean; is_window_open: boolean };

/** Every phone with its messages, the oldest phone first. */
export async function readPhones(): Promise<Phone[]> {
  const response = await fetch("/dev/phone/conversations", { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`The phones cannot be read: ${response.status}`);
  return response.json();
}

/** Takes a number into use; it is there from now on. */
export async function addPhone(number: string): Promise<void> {
  await fetch(`/dev/phone/conversation?number=${encodeURIComponent(number)}`);
}

/** Does something on a phone: `send` with an action, `read`, or `window`. Says what was wrong with it, null where nothing was. */
export async function postAction(what: "send" | "read" | "window", body: Record<string, unknown>): Promise<string | null> {
  const response = await fetch(`/dev/phone/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.ok ? null : await response.text();
}

/** Where a file's bytes are. */
export function mediaUrl(id: string): string {
  return `/dev/phone/media?id=${encodeURIComponent(id)}`;
}

/** A file as an action carries it. */
export async function fileFields(file: File): Promise<{ base64: string; mime_type: string; filename: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { base64: toBase64(bytes), mime_type: file.type || "application/octet-stream", filename: file.name };
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
