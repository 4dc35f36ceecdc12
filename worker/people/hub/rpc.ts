/** What a user's hub can be asked about its person, their money and their devices; the object is conversation/user-hub. */
import type { Chat } from "#shared/entities/chat.ts";
import type { ContentKind } from "#shared/live-events.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { CallInput, Charge, Hold, Longest } from "#worker/platform/spending/holds.ts";

export type Marks = { isRead?: boolean | undefined; isPinned?: boolean | undefined; archived?: boolean | undefined };

/** The files of the user's knowledge are counted together, under this in the place of a chat's id. */
export const KNOWLEDGE_FILES = "knowledge";
/** Texts and pictures of the user's artifacts likewise. */
export const ARTIFACT_STORAGE = "artifacts";

/** What the files of one of the user's chats take, in bytes; `seq` grows with each change of them. */
export type StoredFiles = { chatId: string; bytes: number; seq: number };

export type Claim = { key: string; hash: string };
/** `new`: do it, then keep or drop. `other`: the key was used with another request. `running`: the first one has no answer yet. */
export type Claimed = { kind: "new" | "other" | "running" } | { kind: "answered"; body: string };

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

/** A user's hub, as people, library and mail know it. */
export interface PersonHub extends Rpc.DurableObjectBranded {
  /** One chat of the list, or null. */
  find(chatId: string): Promise<Chat | null>;
  /** Sets the user's own marks and answers the row, or null for an unknown chat. */
  mark(chatId: string, marks: Marks): Promise<Outcome<Chat | null>>;
  /** Counts a turn against the budget it has beside the credits: once for each `id` where nobody typed it. */
  admit(turn: CountedTurn): Promise<CountedSpending>;
  /** Reserves what a call, or a further round of a reply, may cost; refused where more may be needed than is left. */
  reserveCall(input: CallInput): Promise<Outcome<Longest>>;
  /** Gives back what was reserved for a reply that did not begin. */
  release(hold: Hold): Promise<void>;
  /** Enters a charge that no chat reports, null where there is nothing to pay, and gives back what was reserved for its call. */
  charge(charge: Charge | null, callId: string): Promise<void>;
  /** Claims the key of a request that may come again. */
  claimKey(claim: Claim): Promise<Claimed>;
  /** Keeps the answer of a claimed key, or lets the key go. */
  settleKey(key: string, body: string | null): Promise<void>;
  /** The balance in micro-dollars; of an account that was just made, where it is said what it began with. */
  credits(newWithMicros?: number): Promise<number>;
  /** A page of the ledger, newest first. */
  ledger(page: { before: number; limit: number }): Promise<(LedgerEntry & { seq: number })[]>;
  /** What was spent this month in each team, or by each key, in micro-dollars. */
  spentBy(what: "team" | "key"): Promise<Record<string, number>>;
  /** Takes over what a guest's ledger recorded, when the guest signs in to this account. */
  takeOverLedger(entries: LedgerEntry[]): Promise<void>;
  /** Takes a room's count of its files. */
  keepStored(files: StoredFiles): Promise<void>;
  /** Holds room for files on their way, by an id of their own; `used` bytes are stored already. */
  holdStorage(files: { id: string; bytes: number }): Promise<{ isReserved: boolean; used: number }>;
  /** Gives back what was reserved for files. */
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
  /** Notifies the user's tabs that something of theirs changed. */
  noteContentChanged(kind: ContentKind): Promise<void>;
  /** Notifies the user's tabs that an artifact is new or changed, or with null no longer theirs; search follows. */
  noteArtifactChanged(artifactId: string, version: number | null): Promise<void>;
  /** Forgets everything of a user that is gone. */
  purge(): Promise<void>;
}
