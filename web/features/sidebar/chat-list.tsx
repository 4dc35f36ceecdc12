import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useMatch } from "react-router";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Chat } from "#shared/entities/chat.ts";
import { ChatListNotice, ChatListSkeleton, NO_CHATS } from "./chat-list-states.tsx";
import { ChatRow } from "./chat-row.tsx";
import { DeleteChatDialog } from "./delete-chat-dialog.tsx";
import { type ListItem, listItems } from "./list-items.ts";
import { setDrawerOpen } from "./sidebar-state.ts";
import { useChats } from "./use-chats.ts";
import { useToday } from "./use-today.ts";

/** Rows left below the window when the next page is asked for. */
const AHEAD = 20;

/** The chats, newest first, by day; only the rows in sight exist. */
export function ChatList({ inDrawer }: { inDrawer: boolean }) {
  const chats = useChats();
  const today = useToday();
  const openId = useMatch("/c/:chatId")?.params.chatId;
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<Chat | null>(null);
  const [asking, setAsking] = useState(false);

  const rows = useMemo(() => chats.data?.pages.flatMap((page) => page.chats) ?? [], [chats.data]);
  const items = useMemo(() => listItems(rows, today), [rows, today]);
  const onFollow = useCallback(() => setDrawerOpen(false), []);
  const onDelete = useCallback((chat: Chat) => {
    setDoomed(chat);
    setAsking(true);
  }, []);
  const loadAhead = () => {
    const [handle, box] = [list.current, scroller.current];
    if (!handle || !box || !chats.hasNextPage || chats.isFetchingNextPage || chats.isFetchNextPageError) return;
    // The box's own place: the virtualizer hears of a scroll after this handler does.
    if (handle.findItemIndex(box.scrollTop + box.clientHeight) + AHEAD >= items.length) void chats.fetchNextPage();
  };
  const loadMore = useEffectEvent(loadAhead);
  // A jump to the end, or a window higher than a page, leaves nothing to scroll.
  useEffect(() => loadMore());

  return (
    <div ref={scroller} className="h-full overflow-y-auto overscroll-contain pb-12" onScroll={loadAhead}>
      {chats.isPending ? (
        <ChatListSkeleton inDrawer={inDrawer} />
      ) : chats.isError && rows.length === 0 ? (
        <ChatListNotice title="Chats could not be loaded" text={chats.error.message} retry={() => void chats.refetch()} />
      ) : rows.length === 0 ? (
        <ChatListNotice {...NO_CHATS} />
      ) : (
        <Virtualizer ref={list} scrollRef={scroller} data={items} as="ul" item="li" itemSize={inDrawer ? 56 : 52} bufferSize={260}>
          {(item: ListItem) =>
            item.kind === "group" ? (
              <h2 key={item.key} className="flex h-36 items-center px-20 text-12 font-medium text-ink3">
                {item.label}
              </h2>
            ) : (
              <ChatRow
                key={item.key}
                chat={item.chat}
                today={today}
                isOpen={item.chat.id === openId}
                inDrawer={inDrawer}
                onFollow={onFollow}
                onDelete={onDelete}
              />
            )
          }
        </Virtualizer>
      )}
      {chats.isFetchNextPageError && (
        <ChatListNotice title="More chats could not be loaded" text={chats.error?.message ?? ""} retry={() => void chats.fetchNextPage()} />
      )}
      <DeleteChatDialog chat={doomed} open={asking} onOpenChange={setAsking} />
    </div>
  );
}
