import type { Chat } from "#shared/entities/chat.ts";

/** What chats are sorted by: the folder that they are in, or their tags. */
export type FilingWhat = "folder" | "tags";

/** What a row, its menu and its keys ask of the list. */
export type RowActions = {
  /** A chat was opened. */
  follow: () => void;
  /** Ticks a row or takes its tick away; with `extend` all up to it. */
  toggle: (id: string, extend: boolean) => void;
  /** Edits a row's title in place; null ends it. */
  rename: (id: string | null) => void;
  /** Archives, or restores from the archive. */
  archive: (chat: Chat) => void;
  remove: (chat: Chat) => void;
  /** Asks for a chat's folder or its tags. */
  file: (chat: Chat, what: FilingWhat) => void;
};
