import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { useFolderRows, useFoldersFailure } from "#web/features/folders/folder-state.ts";
import { useSidebarState } from "#web/features/sidebar/sidebar-state.ts";
import type { ListScope } from "./held-list.ts";

const UNFILED: ListScope = { folder: "none" };

/** What a view is narrowed to: among all chats those in folders stand in their folders alone, unless the folders could not be read. */
export function useListScope(view: ChatView): ListScope | undefined {
  const { scope } = useSidebarState();
  const hasFolders = useFolderRows() > 0;
  const isWhole = useFoldersFailure() !== null;
  if (view !== "all" || isWhole) return undefined;
  return scope ?? (hasFolders ? UNFILED : undefined);
}
