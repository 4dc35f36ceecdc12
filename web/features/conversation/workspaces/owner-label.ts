import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";

type Owned = Pick<Chat, "isShared" | "sharedByName" | "ownerName" | "teams">;

/** Whose a chat is, in a list that holds several people's: 'Yours', or its owner's by first name; null where that goes without saying. */
export function ownerLabel(workspace: WorkspaceId, chat: Owned): string | null {
  if (workspace === "personal") return null;
  if (!chat.isShared) return chat.teams.length > 0 ? "Yours" : null;
  const first = ownerName(chat)?.trim().split(/\s+/)[0];
  return first ? `${first}\u2019s` : null;
}

/** Whose a chat is that is shared with the reader; who shared it, where its room does not know yet. */
export function ownerName({ ownerName: owner, sharedByName: sharer }: Pick<Chat, "ownerName" | "sharedByName">): string | null {
  return owner ?? sharer;
}

type PreviewedChat = Pick<Chat, "isShared" | "sharedByName" | "lastMessageSender" | "lastMessagePreview">;

/** What was said last, and which person said it; with nothing said yet, who shared the chat, where no label says whose it is. */
export function previewText(chat: PreviewedChat, label: string | null): string {
  const { isShared, sharedByName, lastMessageSender: sender, lastMessagePreview: preview } = chat;
  if (preview !== "") return sender === "" ? preview : `${sender}: ${preview}`;
  return isShared && sharedByName && label === null ? `Shared by ${sharedByName}` : "";
}
