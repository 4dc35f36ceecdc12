import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { useFolderRowCount, useFoldersFailure } from "#web/features/conversation/list-state/folder-state.ts";
import { useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import type { ListScope } from "#web/features/conversation/chat-cache/cached-lists.ts";

const UNFILED: ListScope = { folder: "none" };

/** What a view is narrowed to: among all chats those in folders stand in their folders alone, unless the folders could not be read. */
export function useListScope(view: ChatView): ListScope | undefined {
  const { scope } = useSidebarState();
  const hasFolders = useFolderRowCount() > 0;
  const showsAllChats = useFoldersFailure() !== null;
  if (view !== "all" || showsAllChats) return undefined;
  return scope ?? (hasFolders ? UNFILED : undefined);
}
