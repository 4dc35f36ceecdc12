import { Download, Ellipsis, ListChecks, Pencil, Printer, ScrollText, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { heldChat } from "#web/features/sidebar/held-list.ts";
import { PaneHeader } from "#web/features/sidebar/pane-header.tsx";
import { usePageTitle } from "#web/features/sidebar/use-page-title.ts";
import { hotkeyText, useHotkey } from "#web/lib/hotkeys.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu, MenuItem } from "#web/ui/menu.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { ChatTitle } from "./chat-title.tsx";

const TodosDialog = lazyPart(async () => (await import("#web/features/todos/todos-dialog.tsx")).default);
const ForkOrigin = lazyPart(async () => (await import("#web/features/fork/fork-origin.tsx")).default);
const SummaryDialog = lazyPart(async () => (await import("#web/features/summary/summary-dialog.tsx")).default);
const ExportDialog = lazyPart(async () => (await import("#web/features/export/export-dialog.tsx")).default);
const DeleteChatDialog = lazyPart(async () => (await import("#web/features/sidebar/delete-chat-dialog.tsx")).DeleteChatDialog);

/** The bar above a chat: its title, renamed in place, and what can be done with the whole of it. */
export function ChatHeader({ chatId, chat }: { chatId: string; chat: ChatDetails | null }) {
  const [isEditing, setIsEditing] = useState(false);
  // Null until it was asked for.
  const [isDeleting, setIsDeleting] = useState<boolean | null>(null);
  useEffect(() => preloadAtFirstSign([DeleteChatDialog]), []);
  const [hasSummary, setHasSummary] = useState<boolean | null>(null);
  const [hasExport, setHasExport] = useState<boolean | null>(null);
  const [hasTodos, setHasTodos] = useState<boolean | null>(null);
  // The list knows the title before the chat itself has arrived.
  const title = (chat ?? heldChat(chatId))?.title || "New Chat";
  usePageTitle(title);

  const canRename = chat !== null && chat.permissionLevel !== "viewer";
  const canDelete = chat?.permissionLevel === "owner";
  const print = () => void import("#web/features/print/print-chat.ts").then(({ printChat }) => printChat(chatId));
  useHotkey("printChat", print, chat !== null);
  const rename = () => setIsEditing(true);
  const actions = chat !== null && (
    <Menu trigger={<IconButton label="Chat actions" icon={Ellipsis} />}>
      {canRename && (
        <MenuItem icon={Pencil} onClick={rename}>
          Rename
        </MenuItem>
      )}
      <MenuItem icon={ScrollText} onClick={() => setHasSummary(true)}>
        Summarize
      </MenuItem>
      <MenuItem icon={Download} onClick={() => setHasExport(true)}>
        Export
      </MenuItem>
      <MenuItem icon={Printer} shortcut={hotkeyText("printChat")} onClick={print}>
        Print
      </MenuItem>
      <MenuItem icon={ListChecks} onClick={() => setHasTodos(true)}>
        Todo
      </MenuItem>
      {canDelete && (
        <MenuItem icon={Trash2} danger onClick={() => setIsDeleting(true)}>
          Delete
        </MenuItem>
      )}
    </Menu>
  );
  return (
    <>
      <PaneHeader newChat actions={actions}>
        <div className="group/title flex min-w-0 flex-1 items-center gap-4">
          <ChatTitle chat={chat} title={title} isEditing={isEditing} onEdited={() => setIsEditing(false)} />
          {canRename && !isEditing && (
            <IconButton
              label="Rename"
              icon={Pencil}
              size="sm"
              onClick={rename}
              className="opacity-0 transition-opacity duration-120 group-hover/title:opacity-100 focus-visible:opacity-100 touch:hidden"
            />
          )}
        </div>
      </PaneHeader>
      <p aria-hidden className="hidden px-36 pb-16 font-serif text-28 print:block">
        {title}
      </p>
      {chat?.forked_from && <ForkOrigin origin={chat.forked_from} />}
      {hasSummary !== null && <SummaryDialog chatId={chatId} open={hasSummary} onOpenChange={setHasSummary} />}
      {hasExport !== null && <ExportDialog chatId={chatId} open={hasExport} onOpenChange={setHasExport} />}
      {hasTodos !== null && <TodosDialog chatId={chatId} open={hasTodos} onOpenChange={setHasTodos} />}
      {chat && isDeleting !== null && <DeleteChatDialog chat={chat} open={isDeleting} onOpenChange={setIsDeleting} />}
    </>
  );
}
