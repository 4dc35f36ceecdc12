import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { Action } from "#shared/permissions.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { BegunTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { AccessList } from "./access/access-list.ts";
import type { refuse } from "./access/access.ts";
import type { PresenceKeeper } from "./access/presence.ts";
import type { MailWriters } from "./mails/mail-writers.ts";
import type { Mails } from "./mails/mails.ts";
import type { Messaging } from "./messaging/messaging-deps.ts";
import type { Outbox, Target } from "./outbox.ts";
import type { Queue } from "./queue/queue.ts";
import type { ApprovalMails } from "./replies/approval-mails.ts";
import type { StreamPlaces } from "./replies/stream-slots.ts";
import type { TurnRunner } from "./replies/turn-runner.ts";
import type { ChatUpdate, Decision, Reconciled, ComparedChat } from "#worker/conversation/room/rpc.ts";
import type { Runs } from "./runs/runs.ts";

/** What a room's calls work with: its running turn, its queue, its reports, and the life of the object around them. */
export type Room = {
  readonly storage: DurableObjectStorage;
  readonly sql: SqlStorage;
  readonly outbox: Outbox;
  readonly turns: TurnRunner;
  readonly places: StreamPlaces;
  readonly queue: Queue;
  readonly mails: Mails;
  readonly letters: MailWriters;
  readonly runs: Runs;
  readonly messaging: Messaging;
  readonly access: AccessList;
  readonly presence: PresenceKeeper;
  /** True where a chat was created here; takes up what an earlier life left before anything else. */
  open(): boolean;
  /** As `open`, for a room that is about to be created; false once its chat is deleted. */
  start(): boolean;
  /** Ends whatever is under way and empties the storage; answers who reached the chat. What comes late finds none, unless its id is `free` again. */
  purge(input: { free: boolean }): Promise<string[]>;
  /** Why this person may not do this, or null where they may. */
  refuse(reader: Pick<Reader, "userId">, action: Action): ReturnType<typeof refuse>;
  /** Whose hubs learn of the chat. */
  readers(): Target[];
  /** Notifies the readers' tabs that something happened. */
  notify(news: ChatUpdate): void;
  /** Notifies them that the chat's mails changed; what is notable makes the chat unread. */
  notifyMails(isNotable: boolean): void;
  /** Sees to it that the object wakes while something is left to do, and delivers what is noted. */
  report(): void;
  watch(): Promise<void>;
  readonly approvalMails: ApprovalMails;
  /** Decides about a call that waits for this person's word, and goes on with its turn. */
  decide(reader: Reader, decision: Decision): Promise<Outcome<ToolCall>>;
  /** Reports how the chat stands to whoever has it differently. */
  reconcile(userId: string, seen: ComparedChat): Promise<Reconciled>;
  /** Reports to the owner's hub what the chat's files take, now or as soon as it can be reached. */
  notifyStored(): Promise<void>;
  /** Changes the chat's files in one transaction, and reports to the owner's hub what they take now. */
  changeFiles<T>(change: () => T): Promise<T>;
  begin(request: TurnRequest, how?: { isFollowed: boolean }): Promise<Outcome<BegunTurn>>;
  /** What is left to do when nobody looks. */
  wake(): Promise<void>;
};
