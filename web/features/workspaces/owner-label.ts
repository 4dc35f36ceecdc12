import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";

type Owned = Pick<Chat, "isShared" | "sharedByName" | "ownerName" | "teams">;

/** Whose a chat is, in a list that holds several people's: 'You', or its owner's first name; null where that goes without saying. */
export function ownerLabel(workspace: WorkspaceId, chat: Owned): string | null {
  if (workspace === "personal") return null;
  if (!chat.isShared) return chat.teams.length > 0 ? "You" : null;
  return ownerName(chat)?.trim().split(/\s+/)[0] || null;
}

/** Whose a chat is that is shared with the reader; who shared it, where its room does not know yet. */
export function ownerName({ ownerName: owner, sharedByName: sharer }: Pick<Chat, "ownerName" | "sharedByName">): string | null {
  return owner ?? sharer;
}

type PreviewedChat = Pick<Chat, "isShared" | "sharedByName" | "ownerName" | "lastMessageSender" | "lastMessagePreview">;

/** What was said last and by whom; that is left out where the label says so already. */
export function previewWords(chat: PreviewedChat, label: string | null): string {
  const { isShared, sharedByName, lastMessageSender: sender, lastMessagePreview: preview } = chat;
  const owner = isShared ? ownerName(chat) : "You";
  if (preview !== "") return sender === "" || (label !== null && sender === owner) ? preview : `${sender}: ${preview}`;
  return isShared && sharedByName && label === null ? `Shared by ${sharedByName}` : "";
}
