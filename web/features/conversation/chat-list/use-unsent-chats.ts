import { useMemo, useSyncExternalStore } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { isOwn } from "#web/features/conversation/sending/message-owner.ts";
import { outbox, type PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { isInWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { upsertChat } from "#web/features/conversation/chat-cache/chat-pages.ts";
import type { CachedPage, List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { isInScope } from "#web/features/conversation/chat-cache/list-scope.ts";

/** The pages of a list with the chats whose first message waits in this browser: the server knows nothing of them yet. */
export function useUnsentChats(pages: readonly CachedPage[] | undefined, list: List, now: Date): readonly CachedPage[] {
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
