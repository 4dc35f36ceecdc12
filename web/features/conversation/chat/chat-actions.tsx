import {
  BookmarkCheck,
  BookmarkX,
  Download,
  Ellipsis,
  FolderInput,
  Globe,
  ListChecks,
  LogOut,
  Mail,
  Pencil,
  Printer,
  ScrollText,
  Tag,
  Trash2,
  UserRoundPlus,
} from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { changeSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { isUuid } from "#shared/uuid.ts";
import type { SignInFirstProps } from "#web/features/conversation/sharing/sign-in-first.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import MailCounter from "#web/features/mail/mails/mail-counter.tsx";
import type { HeaderFilingProps } from "#web/features/conversation/folders/header-filing.tsx";
import { MarkItems } from "#web/features/conversation/chat-list/mark-items.tsx";
import type { FilingWhat } from "#web/features/conversation/list-state/row-actions.ts";
import { TodoCounter } from "#web/features/conversation/todos/todo-counter.tsx";
import { hotkeyText, useHotkey } from "#web/lib/hotkeys.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import SignInFirst from "#web/features/conversation/sharing/sign-in-first.tsx";
import PresentPeople from "#web/features/conversation/sharing/presence.tsx";

const DIALOGS = {
  summary: lazyPart(async () => (await import("./summary-dialog.tsx")).default),
  export: lazyPart(async () => (await import("./export-dialog.tsx")).default),
  mails: lazyPart(async () => (await import("#web/features/mail/mails/mails-dialog.tsx")).default),
  todos: lazyPart(async () => (await import("#web/features/conversation/todos/todos-dialog.tsx")).default),
} as const;
const OWN_DIALOGS = {
  share: lazyPart(async () => (await import("#web/features/conversation/sharing/share-dialog.tsx")).default),
  publish: lazyPart(async () => (await import("#web/features/conversation/sharing/publish-dialog.tsx")).default),
  leave: lazyPart(async () => (await import("#web/features/conversation/sharing/leave-dialog.tsx")).default),
  delete: lazyPart(async () => (await import("#web/features/conversation/chat-list/delete-chat-dialog.tsx")).DeleteChatDialog),
} as const;

const HeaderFiling = lazyPart<HeaderFilingProps>(
  async () => (await import("#web/features/conversation/folders/header-filing.tsx")).default,
);

type DialogName = keyof typeof DIALOGS | keyof typeof OWN_DIALOGS;

/** What can be done with a whole chat: a menu, and the dialogs it opens, which stay once used, to close softly. */
export default function ChatActions({ chat, onRename }: { chat: ChatDetails; onRename: (() => void) | null }) {
  const { isGuest } = useSession();
  const { used, open, stateOf } = useDialogs();
  const [filing, setFiling] = useState<FilingWhat | null>(null);
  const [refused, setRefused] = useState<Pick<SignInFirstProps, "what" | "open"> | null>(null);
  useEffect(() => preloadAtFirstSign([OWN_DIALOGS.delete]), []);
  const print = () => void import("./print-chat.ts").then(({ printChat }) => printChat(chat.id));
  useHotkey("printChat", print);

  const isWriter = chat.permissionLevel !== "viewer";
  // Readers see no addresses, and a guest has none that a mail could be proven to be from.
  const hasMails = isWriter && !isGuest;
  const mails = useMailsDialog(hasMails, () => open("mails"));
  useEffect(
    () =>
      onLive((event) => {
        const concernsChat = event.type === "mails.changed" && event.chat_id === chat.id;
        if (concernsChat) void queryClient.invalidateQueries({ queryKey: keys.chat(chat.id) });
      }),
    [chat.id],
  );
  const changeRecord = () => void changeSettings(chat.id, { off_record: chat.off_record !== true }, "The chat was not changed");
  const isOwner = chat.permissionLevel === "owner";
  // Guests share nothing: they see why, sign in, and come back.
  const openOwn = (what: SignInFirstProps["what"]) => (isGuest ? setRefused({ what, open: true }) : open(what));
  return (
    <>
      {(chat.isShared || chat.hasBeenShared) && <PresentPeople chatId={chat.id} />}
      {chat.off_record && (
        <span title="No memory is read here, and none is saved">
          <Badge>Off the record</Badge>
        </span>
      )}
      {hasMails && chat.mail_count > 0 && <MailCounter count={chat.mail_count} onOpen={mails.open} />}
      <TodoCounter chatId={chat.id} onOpen={() => open("todos")} />
      <span className="hidden desk:contents">
        <Button variant="quiet" size="sm" className="px-10 text-ink!" onClick={() => openOwn("share")}>
          <UserRoundPlus aria-hidden className="size-16" />
          Share
        </Button>
      </span>
      <Menu trigger={<IconButton label="Chat actions" icon={Ellipsis} />}>
        {onRename && (
          <MenuItem icon={Pencil} onClick={onRename}>
            Rename
          </MenuItem>
        )}
        <MarkItems chat={chat} />
        {!isGuest && (
          <>
            <MenuItem icon={FolderInput} onClick={() => setFiling("folder")}>
              Move to folder…
            </MenuItem>
            <MenuItem icon={Tag} onClick={() => setFiling("tags")}>
              Tags…
            </MenuItem>
          </>
        )}
        <MenuItem icon={ScrollText} onClick={() => open("summary")}>
          Summarize
        </MenuItem>
        <MenuItem icon={Download} onClick={() => open("export")}>
          Export
        </MenuItem>
        <MenuItem icon={Printer} shortcut={hotkeyText("printChat")} onClick={print}>
          Print
        </MenuItem>
        {hasMails && (
          <MenuItem icon={Mail} onClick={mails.open}>
            Emails
          </MenuItem>
        )}
        <MenuItem icon={ListChecks} onClick={() => open("todos")}>
          Todo
        </MenuItem>
        {isWriter && !isGuest && (isOwner || !chat.off_record) && (
          <MenuItem icon={chat.off_record ? BookmarkCheck : BookmarkX} onClick={changeRecord}>
            {chat.off_record ? "Back on the record" : "Off the record"}
          </MenuItem>
        )}
        <MenuItem icon={UserRoundPlus} onClick={() => openOwn("share")}>
          Share
        </MenuItem>
        {isWriter && (
          <MenuItem icon={Globe} onClick={() => openOwn("publish")}>
            Publish
          </MenuItem>
        )}
        <MenuSeparator />
        {isOwner ? (
          <MenuItem icon={Trash2} danger onClick={() => open("delete")}>
            Delete
          </MenuItem>
        ) : (
          <MenuItem icon={LogOut} danger onClick={() => open("leave")}>
            Leave
          </MenuItem>
        )}
      </Menu>
      {filing && <HeaderFiling chat={chat} what={filing} onClose={() => setFiling(null)} />}
      {refused && <SignInFirst {...refused} onOpenChange={(next) => setRefused({ ...refused, open: next })} />}
      {used.map((name) => {
        if (name === "mails") return <DIALOGS.mails key={name} chatId={chat.id} mailId={mails.linkedId} {...stateOf(name)} />;
        if (name === "summary" || name === "export" || name === "todos") {
          const Part = DIALOGS[name];
          return <Part key={name} chatId={chat.id} {...stateOf(name)} />;
        }
        const Part = OWN_DIALOGS[name];
        return <Part key={name} chat={chat} {...stateOf(name)} />;
      })}
    </>
  );
}

/** The dialogs that were used, and which of them is open. */
function useDialogs() {
  const [used, setUsed] = useState<readonly DialogName[]>([]);
  const [shown, setShown] = useState<DialogName | null>(null);
  return {
    used,
    open: (name: DialogName) => {
      setUsed((names) => (names.includes(name) ? names : [...names, name]));
      setShown(name);
    },
    stateOf: (name: DialogName) => ({
      open: shown === name,
      onOpenChange: (next: boolean) => setShown((held) => (next ? name : held === name ? null : held)),
    }),
  };
}

/** Opens the chat's mails as a link to one of them arrives; opened otherwise, it is at their list. */
function useMailsDialog(hasMails: boolean, openDialog: () => void) {
  const { search, key } = useLocation();
  const linkedId = hasMails ? new URLSearchParams(search).get("email") : null;
  const [mail, setMail] = useState<{ arrival: string; id: string | null }>({ arrival: "", id: null });
  if (linkedId !== null && isUuid(linkedId) && mail.arrival !== key) {
    setMail({ arrival: key, id: linkedId });
    openDialog();
  }
  return {
    linkedId: mail.id,
    open: () => {
      setMail({ arrival: key, id: null });
      openDialog();
    },
  };
}
