import * as z from "zod/mini";

/** What happens in a chat that a person may be mailed about while they are away. */
export const ChatNoticeKind = z.enum(["reply", "approval", "share"]);
export type ChatNoticeKind = z.infer<typeof ChatNoticeKind>;

/** The same, and what is done for them outside any chat. */
export const NoticeKind = z.enum([...ChatNoticeKind.options, "import", "schedule"]);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** The field of a user that says whether they want mails of a kind. */
export const NOTICE_FIELDS = {
  reply: "notify_replies",
  approval: "notify_approvals",
  share: "notify_shares",
  import: "notify_imports",
  schedule: "notify_schedules",
} as const;

/** The kinds of mail that are about no chat: ends of jobs of one kind go into one mail. */
export const DONE_KINDS = ["import", "index", "schedule", "share"] as const;
export type DoneKind = (typeof DONE_KINDS)[number];

type Job = { what: "import" | "index" | "schedule" | "export" | "artifact" };

/** The kind of mail that reports a job's end. */
export function doneKindOf({ what }: Job): DoneKind {
  if (what === "artifact") return "share";
  return what === "export" ? "import" : what;
}

/** What a person switches on or off for such a mail. */
export function noticeKindOf(kind: DoneKind): Exclude<DoneKind, "index"> {
  return kind === "index" ? "import" : kind;
}

/** What a person switches on or off for a job's end. */
export function kindOfJob(job: Job): Exclude<DoneKind, "index"> {
  return noticeKindOf(doneKindOf(job));
}

/** What mails of a kind are about, as it stands after 'mails about'. */
export const NOTICE_SUBJECTS = {
  reply: "replies that finish while you are away",
  approval: "calls that wait for your word",
  share: "chats and artifacts that are shared with you",
  import: "imports, exports and indexes that are done",
  schedule: "your schedules",
} as const;
