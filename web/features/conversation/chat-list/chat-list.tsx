import { Archive, ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef, type RefObject, useLayoutEffect, useState } from "react";
import { useMatch } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { ownerLabel } from "#web/features/conversation/workspaces/owner-label.ts";
import { useWorkspace, useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { ChatListSkeleton, EmptyList } from "./chat-list-states.tsx";
import { ChatRowItems } from "#web/features/conversation/chat-row/chat-row-menu.tsx";
import { ChatRow } from "#web/features/conversation/chat-row/chat-row.tsx";
import { DeleteChatDialog } from "#web/features/conversation/chat-row/delete-chat-dialog.tsx";
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
import { useListScrollRestoration } from "./use-list-scroll-restoration.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { useUnsentChats } from "./use-unsent-chats.ts";
import { useToday } from "./use-today.ts";
import { useWorkingList } from "./use-working-list.ts";
import { useMutation } from "@tanstack/react-query";
import { keys, queryClient } from "#web/lib/query.ts";
import { appendPage } from "#web/features/conversation/chat-cache/chat-pages.ts";
import type { ChatPages, List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import DeleteManyDialog from "./delete-many-dialog.tsx";

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
  const more = useMoreChats();
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

  const cursor = pages?.at(-1)?.nextCursor;
  const hasMore = cursor != null;
  // A page that could not be read says nothing of those of a list that was read again.
  const hasFailed = more.isError && more.variables.cursor === cursor;
  const readOn = () => hasMore && more.mutate({ workspace, view, scope, cursor });
  const loadAhead = () => {
    const [handle, box] = [list.current, scroller.current];
    if (!handle || !box || !hasMore || more.isPending || hasFailed) return;
    // The box's own place: the virtualizer hears of a scroll after this handler does.
    if (handle.findItemIndex(box.scrollTop + box.clientHeight) + AHEAD >= items.length) readOn();
  };
  const loadMore = useEffectEvent(loadAhead);
  // A jump to the end, or a window higher than a page, leaves nothing to scroll.
  useEffect(() => loadMore());

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
          ) : items.length === 0 && !hasMore ? (
            <>
              {isPlain && <ListHeading label="" inDrawer={inDrawer} {...ways} />}
              {view !== "all" || (isUnscoped && !hasRows) ? (
                <EmptyList view={view} inDrawer={inDrawer} />
              ) : (
                <SidebarNotice
                  title={isUnscoped ? "All your chats are in folders" : "No chats here"}
                  text={isUnscoped ? "New ones appear here" : "Chats can be dragged here, or moved by their menus"}
                />
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
          {hasFailed ? (
            <SidebarNotice title="More chats could not be loaded" text={more.error.message} retry={readOn} />
          ) : (
            hasMore && (
              <div className="px-20 py-8">
                <Button size="sm" variant="quiet" className="w-full" busy={more.isPending} onClick={readOn}>
                  Load more chats
                </Button>
              </div>
            )
          )}
        </div>
      </div>
      {work.filing && <FilingPicker {...work.filing} scroller={scroller} />}
      <DeleteChatDialog {...work.deletion} />
      {work.deletionOfMany && <DeleteManyDialog {...work.deletionOfMany} />}
    </>
  );
}

const ARCHIVE = { icon: Archive, label: "Archived", to: "archived" } as const;

/** Adds a list's next page, which scrolling near the end and the control there ask for. */
function useMoreChats() {
  return useMutation({ mutationFn: readMore });
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
