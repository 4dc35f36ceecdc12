import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";

/** Whose a chat is, in a list that holds several people's: 'You', or the first name of who shares it; null where that goes without saying. */
export function ownerLabel(workspace: WorkspaceId, chat: Pick<Chat, "isShared" | "sharedByName" | "teams">): string | null {
  if (workspace === "personal") return null;
  if (!chat.isShared) return chat.teams.length > 0 ? "You" : null;
  return chat.sharedByName?.trim().split(/\s+/)[0] || null;
}

type Told = Pick<Chat, "isShared" | "sharedByName" | "lastMessageSender" | "lastMessagePreview">;

/** What was said last and by whom; that is left out where the label says so already. */
export function previewWords(chat: Told, label: string | null): string {
  const { isShared, sharedByName, lastMessageSender: sender, lastMessagePreview: preview } = chat;
  const owner = isShared ? sharedByName : "You";
  if (preview !== "") return sender === "" || (label !== null && sender === owner) ? preview : `${sender}: ${preview}`;
  return isShared && sharedByName && label === null ? `Shared by ${sharedByName}` : "";
}
