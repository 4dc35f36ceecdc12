import { Archive, ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef, type RefObject, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useMatch } from "react-router";
import { Virtualizer, type VirtualizerHandle, type CacheSnapshot } from "virtua";
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { ownerLabel } from "#web/features/conversation/workspaces/owner-label.ts";
import { useWorkspace, useWorkspaceChoice, isInWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { ChatListSkeleton, EmptyList } from "./chat-list-states.tsx";
import { ChatRowItems } from "./chat-row-menu.tsx";
import { ChatRow } from "./chat-row.tsx";
import { DeleteChatDialog } from "./delete-chat-dialog.tsx";
import { listItems, type ListItem } from "./list-items.ts";
import { ListHeading } from "#web/features/conversation/list-state/list-heading.tsx";
import { isTicked } from "./selection.ts";
import { useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import type { FolderSectionProps } from "#web/features/conversation/folders/folder-section.tsx";
import type { ListFilingProps } from "#web/features/conversation/folders/list-filing.tsx";
import { FolderSpace } from "#web/features/conversation/folders/folder-space.tsx";
import { useFolderRowCount, useNaming } from "#web/features/conversation/list-state/folder-state.ts";
import { useListScope } from "#web/features/conversation/list-state/use-list-scope.ts";
import { useChats, readPage } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { useToday } from "./use-today.ts";
import { useWorkingList } from "./use-working-list.ts";
import { useMutation } from "@tanstack/react-query";
import type { Chat } from "#shared/entities/chat.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { appendPage, upsertChat } from "#web/features/conversation/chat-cache/chat-pages.ts";
import type { ChatPages, List, CachedPage } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { isOwn } from "#web/features/conversation/sending/message-owner.ts";
import { outbox, type PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { isInScope } from "#web/features/conversation/chat-cache/list-scope.ts";

const BulkBar = lazyPart(async () => (await import("./bulk-bar.tsx")).default);
const FilingPicker = lazyPart<ListFilingProps>(async () => (await import("#web/features/conversation/folders/list-filing.tsx")).default);
const ListMenu = lazyPart<{ inDrawer: boolean }>(async () => (await import("#web/features/conversation/folders/list-menu.tsx")).ListMenu);
const FolderSection = lazyPart<FolderSectionProps>(
  async () => (await import("#web/features/conversation/folders/folder-section.tsx")).default,
  FolderSpace,
);

/** Rows left below the window when the next page is asked for. */
const AHEAD = 20;

/** A view of the chats under its headings; only the rows in sight exist. */
export function ChatList({ view, inDrawer }: { view: ChatView; inDrawer: boolean }) {
  const workspace = useWorkspace();
  const hasOwners = useWorkspaceChoice() !== null;
  const scope = useListScope(view);
  const chats = useChats(view, scope);
  const today = useToday();
  const minute = useMinute(view === "inbox");
  const openId = useMatch("/c/:chatId")?.params.chatId;
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);

  const pages = chats.data?.pages;
  const now = view === "inbox" ? minute : today;
  const shown = useUnsentChats(pages, { workspace, view, scope }, now);
  const items = useMemo(() => listItems(view, shown, now), [view, shown, now]);
  const work = useWorkingList({ workspace, view, scope, items, openId, list, scroller });
  const { selection, isChoosing } = work;
  const place = useListScrollRestoration({ key: `${workspace} ${view} ${scope?.folder} ${scope?.tag} ${inDrawer}`, list, scroller });
  useEffect(() => preloadAtFirstSign([BulkBar, ChatRowItems]), []);

  const { scope: chosenScope } = useSidebarState();
  const naming = useNaming();
  const hasRows = useFolderRowCount() > 0;
  // The folders and an opened one have a heading of their own, with the ways on.
  const isUnscoped = view !== "all" || chosenScope === undefined || scope === undefined;
  const isPlain = view === "all" && isUnscoped && !hasRows && naming === null;
  const ways = { way: ARCHIVE, menu: <ListMenu inDrawer={inDrawer} /> };
  const [top, topPx] = useHeight();

  const more = useMoreChats({ workspace, view, scope }, pages);
  const loadAhead = useLoadAhead(more, { list, scroller, count: items.length });

  const ticked = (item: ListItem | undefined) => item?.kind === "chat" && isTicked(selection, item.chat.id);
  return (
    <>
      {isChoosing && <BulkBar view={view} scope={scope} chats={work.chosen} isAll={selection.isAll} inDrawer={inDrawer} {...work.bar} />}
      <div
        ref={scroller}
        role="presentation"
        data-drag-scroll
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain pt-4 pb-12 [scrollbar-width:thin]"
        onScroll={loadAhead}
        onKeyDown={work.onKeyDown}
        onFocus={work.onFocus}
      >
        <div className="beneath-bar">
          <div ref={top}>
            {view === "archived" && (
              <ListHeading label="Archived" inDrawer={inDrawer} way={{ icon: ArrowLeft, label: "All chats", to: "all" }} />
            )}
            {view === "all" && (
              <FolderSection
                scope={chosenScope}
                inDrawer={inDrawer}
                scroller={scroller}
                chosen={work.chosen}
                onLeave={() => work.firstId !== null && work.focusRow(work.firstId)}
              />
            )}
          </div>
          {chats.isPending ? (
            <ChatListSkeleton inDrawer={inDrawer} />
          ) : chats.isError && pages === undefined ? (
            <SidebarNotice title="Chats could not be loaded" text={chats.error.message} retry={() => void chats.refetch()} />
          ) : items.length === 0 && more.state === "none" ? (
            <>
              {isPlain && <ListHeading label="" inDrawer={inDrawer} {...ways} />}
              {view !== "all" || (isUnscoped && !hasRows) ? (
                <EmptyList view={view} inDrawer={inDrawer} />
              ) : (
                <EmptyFolder isOpened={!isUnscoped} />
              )}
            </>
          ) : (
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              data={items}
              as="ul"
              item="li"
              itemSize={inDrawer ? 56 : 52}
              bufferSize={260}
              startMargin={4 + topPx}
              keepMounted={work.alwaysMounted}
              {...place}
            >
              {(item: ListItem, index) =>
                item.kind === "group" ? (
                  <ListHeading key={item.key} label={item.label} inDrawer={inDrawer} {...(index === 0 && isPlain && ways)} />
                ) : (
                  <ChatRow
                    key={item.key}
                    chat={item.chat}
                    today={today}
                    isOpen={item.chat.id === openId}
                    isActive={item.chat.id === work.activeId}
                    isRenaming={item.chat.id === work.renamingId}
                    isChoosing={isChoosing}
                    isTicked={ticked(item)}
                    joinsAbove={ticked(item) && ticked(items[index - 1])}
                    joinsBelow={ticked(item) && ticked(items[index + 1])}
                    owner={hasOwners ? ownerLabel(workspace, item.chat) : null}
                    inDrawer={inDrawer}
                    actions={work.actions}
                  />
                )
              }
            </Virtualizer>
          )}
          <ListEnd more={more} />
        </div>
      </div>
      {work.filing && <FilingPicker {...work.filing} scroller={scroller} />}
      <DeleteChatDialog {...work.deletion} />
      {work.deletionOfMany && <DeleteManyDialog {...work.deletionOfMany} />}
    </>
  );
}

const ARCHIVE = { icon: Archive, label: "Archived", to: "archived" } as const;

/** No chats among the folders, or in the one that was opened. */
function EmptyFolder({ isOpened }: { isOpened: boolean }) {
  return isOpened ? (
    <SidebarNotice title="No chats here" text="Chats can be dragged here, or moved by their menus" />
  ) : (
    <SidebarNotice title="All your chats are in folders" text="New ones appear here" />
  );
}

/** What follows the list's last page, if anything, and how it is loaded. */
type MoreChats = { state: "none" | "more" | "loading" } | { state: "failed"; error: Error };

/** Adds a list's next page, which scrolling near the end and the control there ask for. */
function useMoreChats(list: List, pages: ChatPages["pages"] | undefined): MoreChats & { load: () => void } {
  const reading = useMutation({ mutationFn: readMore });
  const cursor = pages?.at(-1)?.nextCursor ?? null;
  const load = () => {
    if (cursor !== null) reading.mutate({ ...list, cursor });
  };
  // A page that could not be read says nothing of those of a list that was read again.
  if (reading.isError && reading.variables.cursor === cursor) return { state: "failed", error: reading.error, load };
  if (cursor === null) return { state: "none", load };
  return { state: reading.isPending ? "loading" : "more", load };
}

type Shown = { list: RefObject<VirtualizerHandle | null>; scroller: RefObject<HTMLElement | null>; count: number };

/** Loads the next page as the end of what is there comes near; to be called as the list scrolls. */
function useLoadAhead({ state, load }: ReturnType<typeof useMoreChats>, { list, scroller, count }: Shown): () => void {
  const loadAhead = () => {
    const [handle, box] = [list.current, scroller.current];
    if (!handle || !box || state !== "more") return;
    // The box's own place: the virtualizer hears of a scroll after this handler does.
    if (handle.findItemIndex(box.scrollTop + box.clientHeight) + AHEAD >= count) load();
  };
  const loadNow = useEffectEvent(loadAhead);
  // A jump to the end, or a window higher than a page, leaves nothing to scroll.
  useEffect(() => loadNow());
  return loadAhead;
}

/** The control below the last row, for whoever does not scroll. */
function ListEnd({ more }: { more: ReturnType<typeof useMoreChats> }) {
  if (more.state === "none") return null;
  if (more.state === "failed") return <SidebarNotice title="More chats could not be loaded" text={more.error.message} retry={more.load} />;
  return (
    <div className="px-20 py-8">
      <Button size="sm" variant="quiet" className="w-full" busy={more.state === "loading"} onClick={more.load}>
        Load more chats
      </Button>
    </div>
  );
}

async function readMore({ cursor, ...list }: List & { cursor: string }): Promise<void> {
  const page = await readPage(list, cursor);
  queryClient.setQueryData<ChatPages>(keys.chats(list.workspace, list.view, list.scope), (held) =>
    // Whoever asked twice, or for a list that was read again meanwhile, gets nothing twice.
    held?.pages.at(-1)?.nextCursor === cursor ? appendPage(held, page) : held,
  );
}

/** The height of an element in px, reported again when that changes. */
function useHeight(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setHeight(element.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, height];
}

type DeleteManyDialogProps = {
  /** Null: all of the list, however many. */ count: number | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
};

/** Asks once before many chats are deleted for good. */
function DeleteManyDialog({ count, open, onOpenChange, onConfirm }: DeleteManyDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={count === null ? "Delete all chats of this list?" : `Delete ${chatCountLabel(count)}?`}
      confirm="Delete"
      onConfirm={onConfirm}
    >
      <p>The selected chats and all their messages are deleted for good. This cannot be undone. Chats that others share with you stay.</p>
    </ConfirmDialog>
  );
}

type Place = { cache: CacheSnapshot; top: number };

/** Where each list was left, for as long as the page lives. */
const places = new Map<string, Place>();

type ListPlace = { key: string; list: RefObject<VirtualizerHandle | null>; scroller: RefObject<HTMLDivElement | null> };

/** Puts a list where it was left, in its first frame, and keeps its rows under the pointer when the bar above it comes and goes. */
function useListScrollRestoration({ key, list, scroller }: ListPlace): { cache?: CacheSnapshot; onScrollEnd: () => void } {
  const [left] = useState(() => places.get(key));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    if (left) box.scrollTo({ top: left.top });
    let { top } = box.getBoundingClientRect();
    const observer = new ResizeObserver(() => {
      const { top: now } = box.getBoundingClientRect();
      // Seen from its top with nobody at it, the list goes down with its first heading instead.
      const isAnchored = box.scrollTop > 0 || box.matches(":hover, :focus-within");
      if (now !== top && isAnchored) box.scrollBy({ top: now - top });
      top = now;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [left, scroller]);
  const onScrollEnd = () => {
    if (list.current && scroller.current) places.set(key, { cache: list.current.cache, top: scroller.current.scrollTop });
  };
  return { ...(left && { cache: left.cache }), onScrollEnd };
}

/** The pages of a list with the chats whose first message waits in this browser: the server knows nothing of them yet. */
function useUnsentChats(pages: readonly CachedPage[] | undefined, list: List, now: Date): readonly CachedPage[] {
  const sends = useSyncExternalStore(outbox.subscribe, outbox.all);
  const { workspace, view, scope } = list;
  return useMemo(() => {
    if (!pages) return [];
    const known = new Set(pages.flatMap(({ chats }) => chats.map(({ id }) => id)));
    const unsent = sends.filter((send) => send.isFirst && send.state.kind !== "sending" && isOwn(send) && !known.has(send.chatId));
    return unsent
      .map(asChat)
      .filter((chat) => isInWorkspace(workspace, chat) && isInScope(scope, workspace, chat))
      .reduce((held, chat) => upsertChat(held, chat, { view, now: now.getTime() }), { pages: [...pages] }).pages;
  }, [pages, sends, workspace, view, scope, now]);
}

function asChat({ id, chatId, ownerId, content, teamId, folderId }: PendingSend): Chat {
  const at = new Date(outbox.writtenAt(id)).toISOString();
  return {
    id: chatId,
    user_id: ownerId ?? "",
    title: "",
    public: false,
    archived: false,
    isPinned: false,
    isRead: true,
    lastMessageAt: at,
    lastMessagePreview: content.slice(0, PREVIEW_LENGTH),
    lastMessageSender: "",
    lastMessageModel: null,
    created_at: at,
    isShared: false,
    hasBeenShared: teamId !== undefined,
    permissionLevel: "owner",
    sharedByName: null,
    ownerName: null,
    isStreaming: false,
    isWaiting: false,
    hasMails: false,
    teams: teamId === undefined ? [] : [teamId],
    folder_id: folderId ?? null,
    tags: [],
  };
}

/** Characters of a message that its row can show. */
const PREVIEW_LENGTH = 200;
