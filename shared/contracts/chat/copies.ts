import * as z from "zod/mini";
import { ChatDetails } from "#shared/entities/chat.ts";
import { Id } from "#shared/entities/ids.ts";
import { ChatParams } from "./chats.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { EXPORT_LENGTH } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const forkChat = endpoint("POST", "/api/chat/:id/fork", {
  summary: "A new chat of the caller's own with the path up to a message; the client may choose its id",
  access: "user",
  action: "fork",
  repeat: "key",
  params: ChatParams,
  body: z.object({ messageId: Id, id: z.optional(Id) }),
  response: z.object({ chat: ChatDetails }),
  status: 201,
});

export const ExportFormat = z.enum(["markdown", "json"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const exportChat = endpoint("GET", "/api/chat/:id/export", {
  summary: "The chat as a download: JSON with every branch, or the path the caller looks at as markdown",
  access: "user",
  action: "export",
  params: ChatParams,
  query: z.object({ format: z._default(ExportFormat, "json") }),
});

export const importChat = endpoint("POST", "/api/chats/import", {
  summary: "A chat of the caller's own from an exported one: its branches, tool calls and sources; of its files the names",
  access: "account",
  repeat: "key",
  body: ExportedChat,
  bodyLength: EXPORT_LENGTH,
  bodyRefusal: "This file was changed or is damaged.",
  response: z.object({ chat: ChatDetails }),
  status: 201,
});
