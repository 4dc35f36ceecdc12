/** What a user's hub can be asked: its object's methods as `stub.ts` offers them, and what they take and answer. */
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { BulkAnswer, BulkInput } from "#shared/contracts/chat/inbox.ts";
import type { ArtifactHit, SearchHit, SoughtKind, UnknownName } from "#shared/contracts/search.ts";
import type { UsageBy, UsageRow } from "#shared/contracts/account/usage.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { ContentKind } from "#shared/live-events.ts";
import type { Outcome } from "../app-error.ts";
import type { Priced } from "../credits/longest-answer.ts";
import type { PrivateSource } from "../turn/private-source.ts";
import type { MemoryAnswer, MemoryInput, SentMemory } from "./memory/rpc.ts";
import type { FolderAnswer, FolderInput } from "./folders/rpc.ts";
import type { ScheduleAnswer, ScheduleInput } from "./schedules/rpc.ts";
import type { DoneJob } from "../notifications/done-job.ts";
import type { PushContent } from "../push/push-content.ts";
import type { SessionProof } from "./leases.ts";
import type { PushInput } from "./notices/push-rpc.ts";
import type { DecidedPage } from "./list/decided.ts";
import type { WaitingPage } from "./list/waiting.ts";
import type { Charge, ChatReport, HeldChat, Presence } from "../chat-room/rpc.ts";

export type Marks = { isRead?: boolean | undefined; isPinned?: boolean | undefined; archived?: boolean | undefined };

export type LookedAt = { chatId: string | null; visible: boolean; typing: boolean; opened: boolean };

/** A page of chats' ids; with `all` also those that are gone from the list, or were paid for once. */
export type IdsPage = { after: string; limit: number; all?: boolean };

/** What became of chats: deleted, to be tried again, or not to be deleted at all. */
export type Fates = { done: string[]; failed: string[]; refused: string[] };

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

/** The files of the user's knowledge are counted together, under this in the place of a chat's id. */
export const KNOWLEDGE_FILES = "knowledge";
/** Texts and pictures of the user's artifacts likewise. */
export const ARTIFACT_STORAGE = "artifacts";

/** What the files of one of the user's chats take, in bytes; `seq` grows with each change of them. */
export type StoredFiles = { chatId: string; bytes: number; seq: number };

export type Claim = { key: string; hash: string };
/** `new`: do it, then keep or drop. `other`: the key was used with another request. `running`: the first one has no answer yet. */
export type Claimed = { kind: "new" | "other" | "running" } | { kind: "answered"; body: string };

/** What is held: for a reply, whenever it goes on, as its earlier part may be charged later than that. */
export type Hold = { replyId: string; generation: number };

/** A reply and its chat. */
export type ReplyPlace = { chatId: string; replyId: string };

/**
 * What a call may cost, and the team in whose workspace its chat was begun. A further round of a reply holds under the reply's own generation and
 * takes the place of what is held for it, its calls included: `spentMicros` is what its chat paid and has not reported yet. `causedBy` is the
 * reply whose budget bounds what is held under an id of its own, as it may outlive that reply.
 */
export type CallInput = Hold & Priced & { teamId?: string | null; round?: { spentMicros: number }; causedBy?: string };

/** The most tokens that an answer may have; null where nothing bounds it. */
export type Longest = { maxTokens: number | null };

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
  /** True where the session that was named stands; absent from a hub of the version before, which asks nothing of it. */
  isSessionLive?: boolean;
};

/** A turn with a budget of its own: one that begins by itself, `id` being its question's, or one that a key asks for, null without a budget. */
export type CountedTurn =
  | { kind: "triggered"; id: string; replyId: string; budgetMicros: number }
  | { kind: "key"; keyId: string; replyId: string; budgetMicros: number | null };
/** What such turns cost with this one, today or this month, in micro-dollars; `isAdmitted` is false where that was used up before. */
export type CountedSpending = { isAdmitted: boolean; spentMicros: number };

export type LedgerEntry = {
  call_id: string;
  at: string;
  what: string;
  chat_id: string | null;
  message_id: string | null;
  model_id: string | null;
  /** Micro-dollars: positive is a grant, negative a cost. */
  amount_micros: number;
  /** 1 where the house pays, as for guests: recorded, and without effect on the balance. */
  is_house: number;
  balance_micros: number;
  team_id?: string | null;
  tokens?: number;
};

/** When a person was in a team: from when, in ISO 8601, and until when, null while they are. */
export type TeamTime = { teamId: string; from: string; until: string | null };

/** What a day of UTC cost with a model in a team, empty for none. */
export type DayUsage = { teamId: string; modelId: string; calls: number; tokens: number; costMicros: number };

/** A day's usage; `seq` is the ledger's last entry in it. */
export type DayReport = { seq: number; usage: DayUsage[] };

/** Which of the user's connections a token is of. */
export type TokenOf = { kind: "mcp"; connectionId: string } | { kind: "google" };

/** A user's hub. */
export interface UserHubRpc extends Rpc.DurableObjectBranded {
  /** What someone without a socket looks at. */
  look(who: { sessionId: string; displayName: string }, what: LookedAt): Promise<void>;
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
  settleDoomed(jobId: string, fates: Fates): Promise<void>;
  /** One chat of the list, or null. */
  find(chatId: string): Promise<Chat | null>;
  /** Sets the user's own marks and answers the row, or null for an unknown chat. */
  mark(chatId: string, marks: Marks): Promise<Outcome<Chat | null>>;
  /** Forgets a deleted chat; or one the user lost, which a report above `lostAt`, the room's version then, brings back. `why` goes to the user's tabs. */
  remove(chatId: string, lostAt?: number, why?: "account"): Promise<void>;
  /**
   * Holds back what a reply may cost; refused at or below zero, where more may be needed than is left of the credits or of a team's
   * budget, and for too many turns in a minute; UNAUTHENTICATED where the session's row has to be read first.
   * Answers whether one stream of it is held too, without which it is refused where it will be followed, and the user's memory where
   * that is asked for, its cost held back with the rest.
   */
  reserve(input: ReplyInput): Promise<Outcome<Reserved>>;
  /** Reads or changes the user's memory. */
  memory(input: MemoryInput): Promise<Outcome<MemoryAnswer>>;
  /** Reads or changes the user's folders and tags, and which chats they are on. */
  folders(input: FolderInput): Promise<Outcome<FolderAnswer>>;
  /** Reads or changes the user's schedules. */
  schedules(input: ScheduleInput): Promise<Outcome<ScheduleAnswer>>;
  /** Counts a turn against the budget it has beside the credits: once for each `id` where nobody typed it. */
  admit(turn: CountedTurn): Promise<CountedSpending>;
  /** Notes one more stream of a reply in progress; false where the user has too many connections. */
  openStream(place: ReplyPlace): Promise<boolean>;
  /** How many connections the user holds: sockets and streams. */
  connections(): Promise<number>;
  /** Holds back what a call, or a further round of a reply, may cost; refused where more may be needed than is left. */
  reserveCall(input: CallInput): Promise<Outcome<Longest>>;
  /** Gives back what was held for a reply that did not begin. */
  release(hold: Hold): Promise<void>;
  /** Enters a charge that no chat reports, null where there is nothing to pay, and gives back what was held for its call. */
  charge(charge: Charge | null, callId: string): Promise<void>;
  /** Claims the key of a request that may come again. */
  claimKey(claim: Claim): Promise<Claimed>;
  /** Keeps the answer of a claimed key, or lets the key go. */
  settleKey(key: string, body: string | null): Promise<void>;
  /** The balance in micro-dollars; of an account that was just made, where it is said what it began with. */
  credits(newWithMicros?: number): Promise<number>;
  /** What was spent, by day, model or chat. */
  usage(by: UsageBy): Promise<{ usage: UsageRow[]; total: number; credits: number }>;
  /** A page of the ledger, newest first. */
  ledger(page: { before: number; limit: number }): Promise<(LedgerEntry & { seq: number })[]>;
  /** What was spent this month in each team, or by each key, in micro-dollars. */
  spentBy(what: "team" | "key"): Promise<Record<string, number>>;
  /** What a day of UTC cost so far, a team's own as long as the user was in it; null where nothing was spent. */
  usageOfDay(day: string, times: TeamTime[]): Promise<DayReport | null>;
  /** Takes over what a guest's ledger recorded, when the guest signs in to this account. */
  takeOverLedger(entries: LedgerEntry[]): Promise<void>;
  /** Ids above `after`, in their order, of the chats that are on the list or whose files are counted. */
  listedIds(page: IdsPage): Promise<string[]>;
  /** How the hub holds these chats, unknown ones too. */
  heldChats(ids: string[]): Promise<HeldChat[]>;
  /** Takes a room's count of its files. */
  keepStored(files: StoredFiles): Promise<void>;
  /** Holds room for files on their way, by an id of their own; `used` bytes are stored already. */
  holdStorage(files: { id: string; bytes: number }): Promise<{ isHeld: boolean; used: number }>;
  /** Gives back what was held for files. */
  releaseStorage(id: string): Promise<void>;
  /** Bytes of all files in the user's own chats. */
  storedBytes(): Promise<number>;
  /** Ends these sessions' sockets at once, and their streams in the rooms that have a reply in progress; their rows are asked before another message. */
  endSessions(sessionIds: string[] | "all"): Promise<void>;
  /** Lets a session's sockets, and its streams in the rooms, go on under the one that took its place. */
  moveSession(from: string, to: string): Promise<void>;
  /** Has the rows of all sessions asked before their next message, as what they say may change. */
  noteSettingsChange(): Promise<void>;
  /** Enters credits that somebody gave, in micro-dollars, once for each id. */
  grant(gift: { id: string; amountMicros: number }): Promise<void>;
  /** Notifies the user's tabs that account data changed. */
  noteUserChanged(): Promise<void>;
  /** Notifies the user's tabs that somebody in one of their chats looks different now. */
  notePeopleChanged(): Promise<void>;
  /** Notifies the user's tabs that their teams changed. */
  noteTeamsChanged(): Promise<void>;
  /** The chats that the user's tabs show, or that answer just now. */
  openChats(): Promise<string[]>;
  /** The access token of a connection of the user's, renewed where it ends soon or is the `refused` one. */
  accessToken(of: TokenOf, refused: string | null): Promise<Outcome<string>>;
  /** Notifies the user's tabs that something of theirs changed. */
  noteContentChanged(kind: ContentKind): Promise<void>;
  /** Notifies the user's tabs that an artifact is new or changed, or with null no longer theirs; search follows. */
  noteArtifactChanged(artifactId: string, version: number | null): Promise<void>;
  /** Notifies the user's tabs which version of a message they look at now. */
  noteSelected(chatId: string, messageId: string): Promise<void>;
  /** Takes the end of a job that went on without the user, who may be mailed about it. */
  noteDoneJob(job: DoneJob): Promise<void>;
  /** What a job that sends a push is to send, null where it need not; or notes that it was delivered. */
  pushes(input: PushInput): Promise<PushContent | null>;
  /** Forgets everything of a user that is gone. */
  purge(): Promise<void>;
}
