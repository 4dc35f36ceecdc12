import {
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
} from "react";
import { useNavigate } from "react-router";
import type { VirtualizerHandle } from "virtua";
import type { BulkAction } from "#shared/contracts/chat/inbox.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { changeMany } from "./change-many.ts";
import type { List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { commandOf, type ListCommand } from "#web/features/conversation/list-state/list-keys.ts";
import type { ListItem } from "./list-items.ts";
import { archiveChat, markChat, restoreChat, whyNotArchived } from "#web/features/conversation/chat-cache/mark-chat.ts";
import type { FilingWhat, RowActions } from "#web/features/conversation/list-state/row-actions.ts";
import { everything, extendTo, rowAfterRemoval, isTicked, NOTHING, type Selection, toggle } from "./selection.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { setDrawerOpen } from "#web/features/conversation/list-state/sidebar-state.ts";

type WorkingList = List & {
  items: readonly ListItem[];
  openId: string | undefined;
  list: RefObject<VirtualizerHandle | null>;
  scroller: RefObject<HTMLDivElement | null>;
};

/** What to file or tag: chats, or all that a list holds. */
export type ToFile = { what: FilingWhat; of: readonly Chat[] | List };

/** What one does with a list: ticking rows, marking and removing one or many of them, by pointer and by keys. */
export function useWorkingList({ workspace, view, scope, items, openId, list, scroller }: WorkingList) {
  const navigate = useNavigate();
  const { isGuest } = useSession();
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<{ chat: Chat | null; isOpen: boolean }>({ chat: null, isOpen: false });
  const [question, setQuestion] = useState<{ count: number | null; isOpen: boolean } | null>(null);
  const [filing, setFiling] = useState<ToFile | null>(null);

  const chats = useMemo(() => chatsIn(items), [items]);
  const order = useMemo(() => chats.map(({ id }) => id), [chats]);
  const chosen = useMemo(() => chats.filter(({ id }) => isTicked(selection, id)), [chats, selection]);
  const isChoosing = chosen.length > 0;
  const active = useActiveRow({ items, order, openId, list, scroller });

  /** What leaves the list hands on the focus to the next row that stays; an open chat its place too, but a deleted one leads home, and a restored one stays. */
  const moveOffAffectedChats = (action: BulkAction, leaves: (id: string) => boolean) => {
    if (openId !== undefined && action !== "unarchive" && order.includes(openId) && leaves(openId)) {
      const next = action === "delete" ? null : rowAfterRemoval(openId, order, leaves);
      void navigate(next === null ? "/" : `/c/${next}`, { replace: true });
    }
    const { activeId } = active;
    if (activeId === null || !hasFocus(scroller.current?.parentElement)) return;
    const heir = leaves(activeId) ? rowAfterRemoval(activeId, order, leaves) : activeId;
    if (heir !== null) active.focusRow(heir);
  };
  const archive = (chat: Chat) => {
    if (chat.archived || whyNotArchived(chat) === null)
      moveOffAffectedChats(chat.archived ? "unarchive" : "archive", (id) => id === chat.id);
    void (chat.archived ? restoreChat(chat) : archiveChat(chat));
  };
  const runBulkActionNow = (action: BulkAction) => {
    const goes = action === "archive" || action === "unarchive" || action === "delete";
    const stay = new Set(chosen.filter((chat) => action === "archive" && whyNotArchived(chat) !== null).map(({ id }) => id));
    if (!selection.isAll) moveOffAffectedChats(action, (id) => goes && isTicked(selection, id) && !stay.has(id));
    setSelection(NOTHING);
    void changeMany(action, selection.isAll ? { workspace, view, scope } : { chats: chosen });
  };
  const runBulkAction = (action: BulkAction, count: number | null = chosen.length) =>
    action === "delete" ? setQuestion({ count, isOpen: true }) : runBulkActionNow(action);

  const latest = useRef({ order, archive });
  useEffect(() => {
    latest.current = { order, archive };
  });
  const [actions] = useState<RowActions>(() => ({
    follow: () => setDrawerOpen(false),
    toggle: (id, extend) => setSelection((held) => (extend ? extendTo : toggle)(held, id, latest.current.order)),
    rename: setRenamingId,
    archive: (chat) => latest.current.archive(chat),
    remove: (chat) => setDoomed({ chat, isOpen: true }),
    file: (chat, what) => setFiling({ what, of: [chat] }),
  }));

  const chosenToFile = (): ToFile["of"] => (selection.isAll ? { workspace, view, scope } : chosen);
  const file = (row: Chat, what: FilingWhat) => {
    if (!isGuest) setFiling({ what, of: isChoosing ? chosenToFile() : [row] });
  };
  const go = (from: string, to: string | undefined, extend: boolean, by: number) => {
    if (to === undefined) return by < 0 ? lastOfTree(scroller.current)?.focus() : undefined;
    active.focusRow(to);
    if (extend) setSelection((held) => extendTo(held.anchor === null ? toggle(held, from, order) : held, to, order));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget } = event;
    // Menus are children of the list for React; folders, and a title being edited, have keys of their own.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
    if (target.matches('input:not([type=checkbox]), [role="tree"] *')) return;
    const command = commandOf(event);
    const row = chats.find(({ id }) => id === active.activeId);
    if (command === null || !row || (command.kind === "clear" && !isChoosing)) return;
    event.preventDefault();
    runCommand({ view, order, chosen, actions, setSelection, go, file, archive, runBulkAction }, command, row);
  };

  return {
    selection,
    isChoosing,
    chosen,
    firstId: order[0] ?? null,
    renamingId,
    actions,
    onKeyDown,
    ...active,
    filing: filing && {
      ...filing,
      onClose: () => setFiling(null),
      /** Chats leave the list, or are to: the focus goes to a row that stays. */
      onFiled: (ids: readonly string[]) => {
        setFiling(null);
        setSelection(NOTHING);
        const { activeId } = active;
        const heir =
          activeId === null || scope === undefined || !ids.includes(activeId)
            ? activeId
            : rowAfterRemoval(activeId, order, (id) => ids.includes(id));
        if (heir !== null) active.focusRow(heir);
      },
    },
    bar: {
      onFile: isGuest ? null : (what: FilingWhat) => setFiling({ what, of: chosenToFile() }),
      onBulkAction: runBulkAction,
      onAll: () => setSelection(everything),
      onRename: setRenamingId,
      onClose: () => setSelection(NOTHING),
    },
    deletion: { chat: doomed.chat, open: doomed.isOpen, onOpenChange: (isOpen: boolean) => setDoomed({ chat: doomed.chat, isOpen }) },
    deletionOfMany: question && {
      count: question.count,
      open: question.isOpen,
      onOpenChange: (isOpen: boolean) => setQuestion({ ...question, isOpen }),
      onConfirm: () => {
        setQuestion({ ...question, isOpen: false });
        runBulkActionNow("delete");
      },
    },
  };
}

/** A list as its keys work on it: `chosen` are the ticked chats that are in sight. */
type KeyedList = {
  view: List["view"];
  order: readonly string[];
  chosen: readonly Chat[];
  actions: RowActions;
  setSelection: Dispatch<SetStateAction<Selection>>;
  go(from: string, to: string | undefined, extend: boolean, by: number): void;
  file(row: Chat, what: FilingWhat): void;
  archive(row: Chat): void;
  runBulkAction(action: BulkAction): void;
};

/** What a key asks for, of the row that has the focus, or of all that are ticked. */
function runCommand(list: KeyedList, command: ListCommand, row: Chat): void {
  const { view, order, chosen } = list;
  const isChoosing = chosen.length > 0;
  switch (command.kind) {
    case "clear":
      return list.setSelection(NOTHING);
    case "selectAll":
      return list.setSelection(everything);
    case "select":
      return list.actions.toggle(row.id, false);
    case "move":
      return list.go(row.id, order[order.indexOf(row.id) + command.by], command.extend, command.by);
    case "edge":
      return list.go(row.id, order.at(command.end ? -1 : 0), false, 0);
    case "rename":
      return row.permissionLevel === "viewer" ? undefined : list.actions.rename(row.id);
    case "file":
      return list.file(row, "folder");
    case "tag":
      return list.file(row, "tags");
    case "archive":
      return isChoosing ? list.runBulkAction(view === "archived" ? "unarchive" : "archive") : list.archive(row);
    case "unread":
      return isChoosing
        ? list.runBulkAction(chosen.some(({ isRead }) => !isRead) ? "read" : "unread")
        : void markChat(row, { isRead: !row.isRead });
    case "pin":
      return isChoosing
        ? list.runBulkAction(chosen.some(({ isPinned }) => !isPinned) ? "pin" : "unpin")
        : void markChat(row, { isPinned: !row.isPinned });
  }
}

/** The last folder in sight above the rows. */
function lastOfTree(scroller: HTMLElement | null): HTMLElement | undefined {
  return [...(scroller?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])].at(-1);
}

/** Called again with each page that is loaded, for thousands of lines: without an array for each. */
function chatsIn(items: readonly ListItem[]): Chat[] {
  const chats: Chat[] = [];
  for (const item of items) if (item.kind === "chat") chats.push(item.chat);
  return chats;
}

function hasFocus(panel: HTMLElement | null | undefined): boolean {
  return panel?.contains(document.activeElement) === true;
}

/** Frames in which a row that was far away must have come: it is hidden until it was measured. */
const PATIENCE_FRAMES = 60;

type ActiveRow = {
  items: readonly ListItem[];
  /** The chats' ids, in the list's order. */
  order: readonly string[];
  openId: string | undefined;
  list: RefObject<VirtualizerHandle | null>;
  scroller: RefObject<HTMLDivElement | null>;
};

/** The one row that Tab reaches, and the way from it to others: it stays in the page however far the list is scrolled. */
function useActiveRow({ items, order, openId, list, scroller }: ActiveRow) {
  const [{ last, from }, setActive] = useState<{ last: string | null; from: string | null }>({ last: null, from: null });
  const has = (id: string | null | undefined): id is string => id != null && order.includes(id);
  const activeId = has(last) ? last : has(openId) ? openId : (order[0] ?? null);

  const focusWhenThere = (id: string, frames: number) => {
    const row = scroller.current?.querySelector<HTMLElement>(`a[data-row="${id}"]`);
    row?.focus({ preventScroll: true });
    if (frames > 0 && (!row || document.activeElement !== row)) requestAnimationFrame(() => focusWhenThere(id, frames - 1));
  };

  return {
    activeId,
    // Where the focus comes from stays as well until it has moved, or a key pressed meanwhile would get lost.
    alwaysMounted: [...new Set([activeId, from])].map((id) => items.findIndex(({ key }) => key === id)).filter((index) => index !== -1),
    /** Gives a row the focus and brings it into sight. */
    focusRow(id: string): void {
      setActive({ last: id, from: activeId });
      const at = items.findIndex(({ key }) => key === id);
      if (at !== -1) list.current?.scrollToIndex(at, { align: "nearest" });
      requestAnimationFrame(() => focusWhenThere(id, PATIENCE_FRAMES));
    },
    onFocus({ target }: FocusEvent): void {
      const id = target instanceof HTMLElement && target.dataset["row"];
      if (id && id !== last) setActive({ last: id, from: null });
    },
  };
}
