/** What a user's hub can be asked: its object's methods as `stub.ts` offers them, and what they take and answer. */
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { BulkAnswer, BulkInput } from "#shared/contracts/chat/inbox.ts";
import type { ArtifactHit, SearchHit, SoughtKind, UnknownName } from "#shared/contracts/search.ts";
import type { UsageBy, UsageRow } from "#shared/contracts/account/usage.ts";
import type { MemoryHub, SentMemory } from "#worker/library/memories/rpc.ts";
import type { CallInput, Hold, Longest } from "#worker/platform/spending/holds.ts";
import type { PersonHub, TeamTime } from "#worker/people/hub/rpc.ts";
import type { NoticeHub } from "#worker/people/done-jobs/note-done-job.ts";
import type { PushHub } from "#worker/mail/push/deliver-push.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { FolderAnswer, FolderInput } from "./folders.ts";
import type { ScheduleAnswer, ScheduleInput } from "./schedules.ts";
import type { DecidedCall, WaitingAnswer, WaitingCall, WaitingMail } from "#shared/entities/waiting-call.ts";
import type { RowRead } from "#worker/platform/env.ts";
import type { ArtifactHub } from "#worker/conversation/tools/artifacts/hub.ts";
import type { ChatReport, HubChat, Presence } from "#worker/conversation/room/rpc.ts";

export type AttentionState = { chatId: string | null; visible: boolean; typing: boolean; opened: boolean };

/** A page of chats' ids; with `all` also those that are gone from the list, or were paid for once. */
export type IdsPage = { after: string; limit: number; all?: boolean };

/** What became of chats: deleted, to be tried again, or not to be deleted at all. */
export type DeletionOutcomes = { done: string[]; failed: string[]; refused: string[] };

/** A view of a workspace, of all where none is named; of a folder, with `subfolders` also what is below it, or of what is in none; of a tag. */
export type Viewed = {
  view: ChatView;
  workspace?: WorkspaceId | undefined;
  folder?: string | undefined;
  subfolders?: boolean | undefined;
  tag?: string | undefined;
};

export type SearchInput = {
  q: string;
  workspace?: WorkspaceId | undefined;
  kind?: SoughtKind | undefined;
  cursor?: string | undefined;
  limit: number;
  /** What of the user's own may be found. */
  sources: readonly PrivateSource[];
};
export type Found = { hits: SearchHit[]; nextCursor: string | null; artifacts?: ArtifactHit[]; unknown?: UnknownName[] };

/** A reply and its chat. */
export type ReplyPlace = { chatId: string; replyId: string };

/** What a message says of its session: `digest` is of what its row said, when it was read for this message; null where it was not. */
export type SessionProof = { id: string; digest: string; row: RowRead | null };

/** What a reply may cost, and whether its asker will follow it at once. */
export type ReplyInput = Partial<Hold> &
  Omit<CallInput, keyof Hold> & {
    replyId: string;
    chatId?: string;
    /** The session that asks, where a browser does. */
    session?: SessionProof;
    isFollowed?: boolean;
    /** Given where the user's memory is to go along: what a token of it costs, in micro-dollars. */
    memoryAt?: number;
  };

/** What is held: a stream of the reply, and the memory that goes along, null without any; and how long its answer may be. */
export type Reserved = Longest & {
  hasPlace: boolean;
  memory: SentMemory | null;
  /** True where a session was named, and stands. */
  isSessionLive: boolean;
};

/** What a day of UTC cost with a model in a team, empty for none. */
export type DayUsage = { teamId: string; modelId: string; calls: number; tokens: number; costMicros: number };

/** A day's usage; `seq` is the ledger's last entry in it. */
export type DayReport = { seq: number; usage: DayUsage[] };

/** Which of the user's connections a token is of. */
export type TokenOf = { kind: "mcp"; connectionId: string } | { kind: "google" };

/** A page of what waits, newest first, and how many there are on all pages. */
export type WaitingPage = {
  approvals: WaitingCall[];
  mails: WaitingMail[];
  answers: WaitingAnswer[];
  count: number;
  nextCursor: string | null;
};

/** A page of the calls that waited, newest first. */
export type DecidedPage = { decided: DecidedCall[]; nextCursor: string | null };

/** A user's hub. */
export interface UserHubRpc extends PersonHub, MemoryHub, NoticeHub, PushHub, ArtifactHub {
  /** What someone without a socket looks at. */
  look(who: { sessionId: string; displayName: string }, what: AttentionState): Promise<void>;
  /** Shows the tabs of a shared chat who looks at it. */
  showPresence(chatId: string, presence: Presence): Promise<void>;
  /** Takes a room's report and notifies the user's tabs; its charges are entered once each. */
  receive(report: ChatReport): Promise<void>;
  /** What is sought among all that the user may read. */
  search(input: SearchInput): Promise<Found & { isIncomplete: boolean }>;
  /** Drops the search index with null; else reads for so many milliseconds and answers whether all is read. */
  rebuildSearch(ms: number | null): Promise<boolean>;
  /** A page of the user's chats as the bytes of its answer: a tree of so many values, or a long text, costs much to pass on. */
  list(query: Viewed & { cursor?: string | undefined; limit: number }): Promise<Uint8Array>;
  /** A page of what waits for the user's word. */
  waiting(page: { cursor?: string | undefined; limit: number }): Promise<WaitingPage>;
  /** A page of the calls that waited for it. */
  decided(page: { cursor?: string | undefined; limit: number }): Promise<DecidedPage>;
  /** How many chats a view holds. */
  count(viewed: Viewed): Promise<number>;
  /** Marks or deletes many chats, or takes marks back; answers what became of each. */
  bulk(input: BulkInput): Promise<Outcome<BulkAnswer>>;
  /** Chats that a deletion still has to empty. */
  nextDoomed(jobId: string, limit: number): Promise<string[]>;
  /** Notes what became of some chats of a deletion, and reports to the user's tabs how far it is. */
  settleDoomed(jobId: string, fates: DeletionOutcomes): Promise<void>;
  /** Forgets a deleted chat; or one the user lost, which a report above `lostAt`, the room's version then, brings back. `why` goes to the user's tabs. */
  remove(chatId: string, lostAt?: number, why?: "account"): Promise<void>;
  /**
   * Reserves what a reply may cost; refused at or below zero, where more may be needed than is left of the credits or of a team's
   * budget, and for too many turns in a minute; UNAUTHENTICATED where the session's row has to be read first.
   * Answers whether one stream of it is held too, without which it is refused where it will be followed, and the user's memory where
   * that is asked for, its cost reserved with the rest.
   */
  reserve(input: ReplyInput): Promise<Outcome<Reserved>>;
  /** Reads or changes the user's folders and tags, and which chats they are on. */
  folders(input: FolderInput): Promise<Outcome<FolderAnswer>>;
  /** Reads or changes the user's schedules. */
  schedules(input: ScheduleInput): Promise<Outcome<ScheduleAnswer>>;
  /** Notes one more stream of a reply in progress; false where the user has too many connections. */
  openStream(place: ReplyPlace): Promise<boolean>;
  /** How many connections the user holds: sockets and streams. */
  connections(): Promise<number>;
  /** What was spent, by day, model or chat. */
  usage(by: UsageBy): Promise<{ usage: UsageRow[]; total: number; credits: number }>;
  /** What a day of UTC cost so far, a team's own as long as the user was in it; null where nothing was spent. */
  usageOfDay(day: string, times: TeamTime[]): Promise<DayReport | null>;
  /** Ids above `after`, in their order, of the chats that are on the list or whose files are counted. */
  listedIds(page: IdsPage): Promise<string[]>;
  /** How the hub holds these chats, unknown ones too. */
  listedChats(ids: string[]): Promise<HubChat[]>;
  /** The access token of a connection of the user's, renewed where it ends soon or is the `refused` one. */
  accessToken(of: TokenOf, refused: string | null): Promise<Outcome<string>>;
  /** Notifies the user's tabs which version of a message they look at now. */
  noteSelected(chatId: string, messageId: string): Promise<void>;
}
