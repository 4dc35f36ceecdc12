/** What a user's folders and tags can be asked for, and what they answer. */
import type { BulkFilter, BulkResult } from "#shared/contracts/chat/inbox.ts";
import type { Folder, FolderWorkspace, Tag } from "#shared/entities/folders/folder.ts";

/** Where a folder goes: to the end of `parentId` (null is the top), or beside one. */
export type FolderPlace = { parentId?: string | null | undefined; beforeId?: string | undefined; afterId?: string | undefined };

/** A folder as it is written down, without what is counted. */
export type StoredFolder = Omit<Folder, "chat_count" | "unread_count">;
export type StoredTag = Omit<Tag, "chat_count">;

/** The folder of a chat, and its tags by their ids. */
export type Filing = { chat_id: string; folder_id: string | null; tags: string[] };

/** Named chats, or all that a view holds. */
export type ChosenChats = { ids: string[] } | BulkFilter;

export type FolderInput =
  /** All folders and tags, with what is in them. */
  | { kind: "list" }
  /** The same id again is the same folder. */
  | { kind: "create"; id: string; name: string; parentId: string | null; workspace: FolderWorkspace }
  | { kind: "change"; id: string; name?: string | undefined; place: FolderPlace }
  | { kind: "remove"; id: string }
  | { kind: "restore"; token: string }
  | { kind: "file"; chats: ChosenChats; folderId: string | null }
  /** A chat that is begun in a folder; refused where that is not one of the workspace. */
  | { kind: "begin"; chatId: string; folderId: string; workspace: FolderWorkspace }
  /** A chat that is made of another goes into that one's folder. */
  | { kind: "follow"; chatId: string; sourceId: string }
  | { kind: "create-tag"; name: string; hue: number | undefined }
  | { kind: "change-tag"; id: string; name: string | undefined; hue: number | undefined; merge: boolean }
  | { kind: "remove-tag"; id: string }
  | { kind: "tag"; chats: ChosenChats; add: string[]; remove: string[] }
  /** A page of what is filed, above a chat's id; all folders and tags with the first, under "". */
  | { kind: "export"; after: string; limit: number }
  /** Takes over what an export said, of chats by the ids that they have here; what there is already stays. */
  | { kind: "import"; folders: StoredFolder[]; tags: StoredTag[]; filings: Filing[] };

/** What was asked for or made; of chats that a view holds `results` has refused ones alone, and not all of them. */
export type FolderAnswer = {
  folders: Folder[];
  tags: Tag[];
  results: BulkResult[];
  changed: number;
  refused: number;
  undoToken: string | null;
  filings: Filing[];
};
