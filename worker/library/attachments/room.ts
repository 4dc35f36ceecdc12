/** What a chat's room can be asked about its files and texts; the object is conversation/chat-room. */
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { PersonRoom } from "#worker/people/room/room.ts";
import type { RoomFile } from "./room-file.ts";

/** A chat's room, as far as it keeps files. */
export interface FileRoom extends PersonRoom {
  /** A file of the chat, null for an id that is free; for those who may do `action`. */
  findFile(reader: Reader, id: string, action: "read" | "attach"): Promise<Outcome<RoomFile | null>>;
  /** Adds an uploaded file; the same id again answers the file that stands. */
  addFile(reader: Reader, file: RoomFile): Promise<Outcome<RoomFile>>;
  /** Forgets an upload of the reader's own; false where a message carries it, sent or waiting its turn. */
  withdrawFile(reader: Reader, id: string): Promise<Outcome<boolean>>;
  /** Forgets uploads that no message carries: answers what may be deleted, and whether the chat was made for them alone. */
  dropUnused(ids: string[]): Promise<{ ids: string[]; isDeserted: boolean }>;
  /** A message's text as far as it is written, for the chat's members. */
  readText(reader: Reader, messageId: string): Promise<Outcome<string>>;
}

export function roomOf(env: Env, chatId: string): DurableObjectStub<FileRoom> {
  return stubOf<FileRoom>(env.CHAT_ROOM, chatId);
}
