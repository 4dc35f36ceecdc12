import type { Chat } from "#shared/entities/chat.ts";

/** A read chat of one's own in a list, at `at` and titled by its id, with what the test cares about changed. */
export function chatRow(id: string, at: string, fields: Partial<Chat> = {}): Chat {
  return {
    id,
    user_id: "me",
    title: id,
    public: false,
    archived: false,
    isPinned: false,
    isRead: true,
    lastMessageAt: at,
    lastMessagePreview: "",
    lastMessageSender: "",
    lastMessageModel: null,
    created_at: at,
    isShared: false,
    hasBeenShared: false,
    permissionLevel: "owner",
    sharedByName: null,
    ownerName: null,
    folder_id: null,
    tags: [],
    isStreaming: false,
    isWaiting: false,
    hasMails: false,
    teams: [],
    ...fields,
  };
}
