import type { NoticeKind } from "#worker/mail/notifications/notice.ts";

/** What a browser's service worker gets, as JSON: `path` begins with a slash, and a notification takes the place of an older one of its `tag`. */
export type PushContent = {
  /** Names this one notification: a repeat of it is the same. */
  id: string;
  kind: NoticeKind | "test";
  tag: string;
  title: string;
  body: string;
  path: string;
  /** Unread chats. */
  unread?: number;
};

/** What a notification says, and where it leads. */
export type PushText = Pick<PushContent, "title" | "body" | "path">;
