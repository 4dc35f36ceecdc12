import type { Chat } from "#shared/entities/chat.ts";

/** Who speaks in a chat, as its row knows. */
export type Voice = { kind: "model"; id: string } | { kind: "person"; name: string; isReader: boolean };

type Row = Pick<Chat, "lastMessageSender" | "lastMessageModel" | "sharedByName">;

/** Whose the last message is, and who shared the chat, each once. */
export function voicesOf({ lastMessageSender: sender, lastMessageModel: modelId, sharedByName: sharer }: Row, reader: string): Voice[] {
  const voices: Voice[] = [];
  if (modelId !== null) voices.push({ kind: "model", id: modelId });
  else if (sender !== "") voices.push({ kind: "person", name: sender === "You" ? reader : sender, isReader: sender === "You" });
  if (sharer !== null && sharer !== sender) voices.push({ kind: "person", name: sharer, isReader: false });
  return voices;
}
