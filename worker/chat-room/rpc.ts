/** What a chat's room can be asked: its object's methods as `stub.ts` offers them, and what they take and answer. */
import * as z from "zod/mini";
import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { AttachmentKind } from "#shared/entities/attachment.ts";
import type { ChatSettings, ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { Chat, type ChatDetails, type ForkOrigin } from "#shared/entities/chat.ts";
import type { Message, MessageStatus } from "#shared/entities/message.ts";
import type { PublicChat } from "#shared/entities/public-chat.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import type { Todo } from "#shared/entities/todo.ts";
import type { WaitingAnswer, WaitingMail } from "#shared/entities/waiting-call.ts";
import type { ToolCall, ToolDecision } from "#shared/entities/tool-call.ts";
import { type ErrorCode, isErrorCode } from "#shared/errors.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import type { PresentPerson } from "#shared/live-events.ts";
import type { Outcome } from "../app-error.ts";
import type { ApprovalAnswer } from "../approvals/read-answer.ts";
import type { RoomFile } from "../attachments/room-file.ts";
import type { Admission, MailReminder, MailSender, ReadMail, ReadRoomMail, RoomMail, Taken } from "../mail/room-mail.ts";
import type { LookedAtTurn } from "../turn/looked-at-turn.ts";
import type { MailReturn } from "../returns/mail-return.ts";
import type { BegunTurn, NewChat, Reader, ReliantTurn, TurnRequest } from "../turn/request.ts";
import type { PrivateSource } from "../turn/private-source.ts";
import type { StoredRound } from "../turn/round.ts";
import type { MessagingAnswer, MessagingInput } from "./messaging/rpc.ts";
import type { Forgotten } from "./access/forget-person.ts";
import type { QueueInput } from "./queue/rpc.ts";
import type { RunsAnswer, RunsInput } from "./runs/rpc.ts";
import type { StoredCompaction } from "./messages/compaction-rows.ts";
import type { ChargeKind } from "./charges/charge-kind.ts";
import type { MessageRow } from "./messages/message-row.ts";

/** How many streams someone has open of the reply in progress. */
export type StreamsOpen = { replyId: string; open: number };

/** A chat as its file has it, which files its messages carry, and all of its files. */
export type WholeChat = { chat: ExportedChat; sent: { messageId: string; fileIds: string[] }[]; files: RoomFile[] };

export type MessagePage = { messages: Message[]; nextCursor: string | null };
export type PageRequest = { before?: string | undefined; around?: string | undefined; limit: number };

export type ChatPatch = { title?: string | undefined; public?: boolean | undefined } & ChatSettingsChange;

/** How often someone or a reply has added to a chat, and who did last: null for a reply. Hubs know by it what their user has not seen. */
const Activity = z.object({ seq: z.number(), by: z.nullable(z.string()) });
export type Activity = z.infer<typeof Activity>;

/** The part of a chat that is the same for all its readers; a hub adds its user's own marks. */
export const ChatRow = z.extend(
  z.omit(Chat, { isPinned: true, isRead: true, archived: true, folder_id: true, tags: true, lastMessageSender: true }),
  {
    /** The person who wrote the last message; null where it is a model's. */
    lastSender: z.nullable(z.object({ id: z.string(), name: z.string() })),
    lastMessageModel: z._default(z.nullable(z.string()), null),
    ownerName: z._default(z.nullable(z.string()), null),
    activity: z._default(Activity, { seq: 0, by: null }),
    /** A reply waits for a person's word: it streams nothing, and whoever follows it stays connected. */
    isWaiting: z._default(z.boolean(), false),
    hasMails: z._default(z.boolean(), false),
    /** The reader's own teams that it is shared with, in the order of their ids. */
    teams: z._default(z.array(z.string()), []),
  },
);
export type ChatRow = z.infer<typeof ChatRow>;
export type RoomDetails = ChatSettings & Pick<ChatDetails, "cost" | "mail_count" | "forked_from" | "team_id"> & { row: ChatRow };

/** One call to the aggregator or a provider and what it cost in micro-dollars; entered once, by its id. */
export type Charge = {
  callId: string;
  /** The reply it was made for. */
  replyId: string;
  chatId: string;
  what: ChargeKind;
  modelId: string;
  amountMicros: number;
  isHouse: boolean;
  /** The team in whose workspace the chat was begun. */
  teamId?: string | null;
  /** What was read and written, as far as it is known. */
  tokens?: number;
};

/** The id of a reply's last call to its model, charged once by it: it holds the generation that it ends. */
export function replyCallId({ replyId, generation }: { replyId: string; generation: number }, rounds: number): string {
  return `${replyId}:${generation}:${rounds}`;
}

/** The generation that such a call ended. */
export function generationOf(callId: string): number {
  return Number(callId.split(":")[1] ?? 0);
}

/** The generation under which the hold of a call that a tool makes stands, by the id that it is charged by: `call:generation:number`. */
export function holdOf(callId: string): number {
  const [, generation, number] = callId.split(":").map(Number);
  return -((generation ?? 0) * CALLS_PER_GENERATION + (number ?? 0) + 1);
}

/** Far more calls than the tools of one generation of a reply make. */
export const CALLS_PER_GENERATION = 100_000;

/** A row as it stands at a version, and what its reader has to pay; hubs drop rows older than they have. */
export type ChatReport = {
  row: ChatRow;
  version: number;
  news: ChatNews[];
  charges: Charge[];
  /** Calls that wait for the reader's own word; a room of the version before names none. */
  waiting?: WaitingReport[];
  /** Calls of the last reply that waited for the reader's word and have it. */
  decided?: ToolCall[];
  /** Mails of unknown senders, for readers who may decide about them; a room of the version before names none. */
  mails?: QuarantinedMail[];
  /** Answers to mails that wait for the reader's own word. */
  answers?: HeldAnswer[];
};

/** A call that waits for a word, and the reply that it is made for; `isMailed` where the room asks for the word by mail. */
export type WaitingReport = { replyId: string; call: ToolCall; isMailed?: boolean };

/** A mail that waits for a word about its sender. */
export type QuarantinedMail = WaitingMail["mail"] & Pick<WaitingMail, "since" | "expires_at">;

/** An answer to a mail that waits for its payer's word. */
export type HeldAnswer = WaitingAnswer["mail"] & Pick<WaitingAnswer, "message_id" | "since">;

/** What happened, sent to the readers' open tabs along with the row. */
export type ChatNews =
  | { type: "reply.started"; messageId: string; replyId: string }
  /** `research` says how a deep research ended, and for whom it was done; `doneFor` who asked here for a reply that is done. */
  | { type: "reply.ended"; replyId: string; research?: { status: MessageStatus; user_id: string }; doneFor?: string }
  | { type: "todo.changed" }
  | { type: "runs.changed" }
  | { type: "mails.changed" }
  | { type: "queue.changed" }
  /** Somebody's account is deleted: what they wrote is nobody's by name. */
  | { type: "person.forgotten" };

/** Messages of a chat with all that belongs to them, parents before children. */
export type ChatCopy = {
  title: string;
  settings: ChatSettings;
  createdAt: string;
  /** When it was last written in elsewhere; absent for what is as new as the chat that it becomes. */
  lastAt?: string;
  /** It is of a file that anyone may have written. */
  isForeign?: boolean;
  origin: ForkOrigin | null;
  /** The end of the branch that is looked at. */
  headId: string | null;
  messages: MessageRow[];
  rounds: { replyId: string; rounds: StoredRound[] }[];
  /** What stands for the messages before a question. */
  compactions: StoredCompaction[];
  /** What the chat is said to have cost; nobody is charged for it again. */
  costMicros: number;
  /** What the messages carry. */
  files: RoomFile[];
  /** What else its chat had that comes from a file: its to-do list, and its mails, oldest first. */
  beside?: { todos: Omit<Todo, "chat_id">[]; mails: RoomMail[] };
};

/** Messages with what belongs to them: as much of a copy as comes in one call. */
export type CopyPart = Pick<ChatCopy, "messages" | "rounds" | "compactions">;

/** A copy by an id of its own, and how many of its parts came before this one. */
export type CopyPlace = { copyId: string; before: number };

/** The place of a turn that is to begin: below a message, or for a message that stands there already. */
export type SurveyInput = { parentId: string | null } | { messageId: string };

/** What a turn is about, as far as the chat knows. */
export type Survey = {
  /** The question, where it stands in the chat already. */
  text: string;
  /** Kinds of the files that come with the question, and of those before it. */
  carried: AttachmentKind[];
  earlier: AttachmentKind[];
  /** Characters before the question, its own files included. */
  characters: number;
  /** The model that answered last before it, and that of the answer that the turn is about. */
  previous: string | null;
  answered: string | null;
};

export type RoomText = {
  seq: number;
  id: string;
  /** Who wrote it; of a reply the model. */
  authorId: string | null;
  authorName: string | null;
  modelId: string | null;
  at: string;
  text: string;
  /** False while more may be written into it. */
  isFinal: boolean;
};

/** A mail as it is found: its subject, addresses and text. */
export type MailText = { id: string; authorId: string | null; authorName: string | null; at: string; text: string };

export type RoomTexts = {
  /** The chat's version that these texts are of. */
  version: number;
  texts: RoomText[];
  todos: { id: string; text: string; at: string }[];
  /** The chat's mails, null for who may see none; a room of the version before says nothing of them. */
  mails?: { known: MailText[]; isWhole: boolean } | null;
  /** Where the next page begins. */
  nextSeq: number;
  isEnd: boolean;
};

/** What anyone may read of a public chat; `version` changes with whatever it shows. */
export type PublicView = PublicChat & { version: number };

/** `input` takes the place of the model's arguments. */
export type Decision = {
  callId: string;
  decision: ToolDecision;
  input?: Record<string, unknown> | undefined;
  /** What a person wants changed who discards it for that. */
  change?: string;
};

/** A person's answer to the mail about a waiting call; `identity` recognises the same mail when it comes again. */
export type AnswerInput = { token: string; userId: string; answer: ApprovalAnswer; identity: string };
/** `repeat`: the same mail was taken before. `stale`: the call was decided already, `reason` is how, as a sentence. */
export type AnswerOutcome = { kind: "done" | "repeat" | "unknown" } | { kind: "stale"; title: string; reason: string };

export type PresentState = { isHere: boolean; isTyping: boolean };
/** Some of those present and how many they are. */
export type Presence = { people: PresentPerson[]; count: number };

/** What changes who reaches a chat; `admit` makes an invitation the share of the person who has proven its address. */
export type AccessChange =
  | { kind: "share"; input: ShareInput }
  | { kind: "unshare"; of: "user" | "team"; shareId: string }
  | { kind: "leave" }
  | { kind: "admit"; email: string };

/** A chat as a reader's hub holds it: on the list, deleted, lost by the user, or unknown; and what it counts of its files. */
export type HeldChat = {
  id: string;
  state: "listed" | "deleted" | "lost" | "unknown";
  version: number;
  stored: { bytes: number; seq: number } | null;
};

/** A chat as a reader's hub holds it, and as its row in the relational database has it, null where there is none. */
export type SeenChat = { held: HeldChat; copy: { title: string; public: boolean } | null };
/** Whether what was seen differed and was mended; `owned` is the chat's row where the reader owns it. */
export type Reconciled = { isMended: boolean; owned: { title: string; public: boolean; created_at: string } | null };

/** Why a room answers no events. */
export const RefusedEvents = z.object({
  ok: z.literal(false),
  code: z.custom<ErrorCode>((code) => typeof code === "string" && isErrorCode(code)),
  message: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
});
export type RefusedEvents = z.infer<typeof RefusedEvents>;

/** A chat's room, which itself decides what who asks may do. */
export interface ChatRoomRpc extends Rpc.DurableObjectBranded {
  /** Begins a turn, and creates the chat with its first message. The same request again answers the same. */
  beginTurn(request: TurnRequest): Promise<Outcome<BegunTurn>>;
  /** The same of one whose session's row was not read: UNAUTHENTICATED where it has to be. */
  beginReliantTurn(turn: ReliantTurn): Promise<Outcome<BegunTurn>>;
  /**
   * Founds a chat, empty or with a copy; a chat that exists stays as it is. A quiet one is on nobody's list before its first message.
   * False, and nothing is created, where expected parts of the copy are missing.
   */
  createChat(id: string, chat: NewChat, how?: { isQuiet?: boolean; copy?: ChatCopy; staged?: CopyPlace }): Promise<boolean>;
  /** Takes a part of a copy ahead of its creation; see `stagePart`. True too where there is a chat: `createChat` leaves it as it is. */
  stage(place: CopyPlace, uploaderId: string, part: CopyPart): Promise<boolean>;
  /** Empties a room in which a copy was never created; false where there is a chat by now, or another copy on its way. */
  dropCopy(copyId: string): Promise<boolean>;
  /** Empties a room that nothing was written to, whose id is free again; true as well where none was created. */
  dropEmpty(): Promise<boolean>;
  /** The chat as this reader sees it. */
  describe(reader: Reader): Promise<Outcome<RoomDetails>>;
  /** True when this message is already here, so a repeated request isn't counted twice. */
  hasMessage(reader: Reader, messageId: string): Promise<boolean>;
  /** What the reply was asked of, which goes on with it. */
  modelAskedOf(reader: Reader, messageId: string): Promise<Outcome<string | null>>;
  /** A message's text as far as it is written, for the chat's members. */
  readText(reader: Reader, messageId: string): Promise<Outcome<string>>;
  /** What a turn is about that is to begin here, for whoever chooses its model. */
  survey(reader: Reader, input: SurveyInput, attachments: string[] | undefined): Promise<Outcome<Survey>>;
  /** A page of the path this reader looks at. */
  readMessages(reader: Reader, page: PageRequest): Promise<Outcome<MessagePage>>;
  /** Makes the branch through this message the reader's own view, and answers its newest page. */
  select(reader: Reader, messageId: string, limit: number): Promise<Outcome<MessagePage>>;
  /** A file of the chat, null for an id that is free; for those who may do `action`. */
  findFile(reader: Reader, id: string, action: "read" | "attach"): Promise<Outcome<RoomFile | null>>;
  /** Adds an uploaded file; the same id again answers the file that stands. */
  addFile(reader: Reader, file: RoomFile): Promise<Outcome<RoomFile>>;
  /** Forgets an upload of the reader's own; false where a message carries it, sent or waiting its turn. */
  withdrawFile(reader: Reader, id: string): Promise<Outcome<boolean>>;
  /** Forgets uploads that no message carries: answers what may be deleted, and whether the chat was made for them alone. */
  dropUnused(ids: string[]): Promise<{ ids: string[]; isDeserted: boolean }>;
  /** A page of the chat's mails, newest first and of each the beginning of its text, for those who may see addresses. */
  listMails(reader: Reader, page: { before: number | null; limit: number }): Promise<Outcome<{ mails: RoomMail[]; next: number | null }>>;
  /** One mail with its whole text and what became of it, for the same. */
  readMail(reader: Reader, id: string): Promise<Outcome<ReadRoomMail>>;
  /** Whether a mail of this sender may come in now. */
  admitMail(sender: MailSender, perHour: number): Promise<Admission>;
  /** Notes a mail whose source is stored, once for each of its deliveries. */
  takeMail(mail: Omit<RoomMail, "state">, how: { sender: MailSender; perHour: number }): Promise<Taken>;
  /** A mail whose source is still to be read, and who pays for what it carries; null where there is nothing to do. */
  mailToRead(id: string): Promise<{ mail: RoomMail; ownerId: string } | null>;
  /** Keeps what was found in a mail's source, once. */
  keepReadMail(id: string, read: ReadMail): Promise<void>;
  /** Allows or blocks the sender of a mail. */
  decideSender(reader: Reader, id: string, decision: SenderDecision): Promise<Outcome<RoomMail>>;
  /** Answers a mail by the reply that it caused, once. */
  answerMail(answered: { mailId: string; replyId: string }): Promise<void>;
  /** Notes that a mail of this chat came back. */
  noteReturn(mailReturn: MailReturn): Promise<void>;
  /** Waits for an answer to a mail until then, in epoch milliseconds; with null no longer. */
  remind(reader: Reader, input: { mailId: string; by: number | null; note: string }): Promise<Outcome<null>>;
  /** When somebody is reminded of a mail, null for no time. */
  reminderOf(reader: Reader, mailId: string): Promise<Outcome<MailReminder | null>>;
  /** Sends a draft, or a mail that failed once more, for the person in whose name it goes out; one that is not wanted waits no longer. */
  sendMail(reader: Reader, id: string, isWanted: boolean): Promise<Outcome<RoomMail>>;
  /** The chat's todo list, for its members. */
  readTodos(reader: Reader): Promise<Outcome<Todo[]>>;
  /** What goes on outside after its tool call has answered: lists it, or ends one. */
  runs(reader: Reader, input: RunsInput): Promise<Outcome<RunsAnswer>>;
  /** The service that has it as `ref` says that a run has news. */
  noteRunNews(callId: string, ref: string): Promise<void>;
  /** The chat's state before a message is sent, and what became of the message. */
  lookAtTurn(reader: Pick<Reader, "userId">, questionId: string): Promise<Outcome<LookedAtTurn>>;
  /** What comes in by the messaging app, and what becomes of what went out by it. */
  messaging(input: MessagingInput): Promise<MessagingAnswer>;
  /** A page of the chat's texts, for the search index of one of its members. */
  readTexts(userId: string, input: { from: number; again: number[] }): Promise<Outcome<RoomTexts>>;
  /** Reports to one reader's hub how the chat stands, as its list lacks it. */
  reportTo(userId: string): Promise<void>;
  /** Compares with what is held elsewhere of the chat for one reader, and mends that; null where no chat is here. */
  reconcile(userId: string, seen: SeenChat): Promise<Reconciled | null>;
  /** The path up to a message, to be created as another chat. */
  copy(reader: Reader, messageId: string): Promise<Outcome<ChatCopy>>;
  /** All of the chat as a file has it, with what of the reader's own they may read, and the files that go with it. */
  export(reader: Reader, sources: readonly PrivateSource[]): Promise<Outcome<WholeChat>>;
  /** Changes the chat itself; an empty title is not taken. */
  update(reader: Reader, patch: ChatPatch): Promise<Outcome<RoomDetails>>;
  /** A page of the chat for anyone, null where it is not public; `true` where it still is as at `known`. */
  readPublic(page: number, known?: number): Promise<PublicView | true | null>;
  /** The words of a public chat, to be created as another. */
  copyPublic(): Promise<Outcome<{ copy: ChatCopy; version: number }>>;
  /** Shares the chat, takes a share back, lets someone leave or in. */
  changeAccess(reader: Pick<Reader, "userId">, change: AccessChange): Promise<Outcome<null>>;
  /** Takes over who reaches the chat by now, e.g. as a team's members changed. */
  refreshAccess(): Promise<void>;
  /** The ids of everybody who reaches the chat, its owner's too. */
  readerIds(): Promise<string[]>;
  /** Approves or discards a tool call that waits for this person's word, once. */
  decide(reader: Reader, decision: Decision): Promise<Outcome<ToolCall>>;
  /** True where a mail about a call asked this person, who may decide still. */
  hasAsked(question: Pick<AnswerInput, "token" | "userId">): Promise<boolean>;
  /** Takes the answer to a mail about a waiting call, from the person who is proven to have written it. */
  answerApproval(input: AnswerInput): Promise<AnswerOutcome>;
  /** Lets a message wait its turn; answers the ids of the messages it became. */
  enqueue(reader: Reader, input: QueueInput): Promise<Outcome<string[]>>;
  /** Reads or changes what waits its turn; removes one message, or with null all of the reader's own. */
  arrange(reader: Reader, input?: { change?: QueueChange; remove?: string | null }): Promise<Outcome<MessageQueue>>;
  /** Notes whether someone looks at the chat now and types, notifies the others, and returns who is here. */
  attend(reader: Pick<Reader, "userId" | "displayName">, state: PresentState): Promise<Outcome<Presence>>;
  /** Stops the reply in progress and keeps what was produced. */
  stop(reader: Reader): Promise<Outcome<null>>;
  /** How many streams someone has open of the reply in progress, null where there is none. */
  streamsOf(userId: string): Promise<StreamsOpen | null>;
  /** Ends the streams of these sessions, or all of the user's. */
  endSessions(userId: string, sessionIds: string[] | "all"): Promise<void>;
  /** Lets the streams of one session go on under the one that took its place in the same browser. */
  moveSession(from: string, to: string): Promise<void>;
  /** Moves a guest's chat and authorship to the account that the guest signed in to. */
  transfer(from: string, to: { userId: string; displayName: string }): Promise<void>;
  /** Makes a person nameless whose account is deleted, in a chat of somebody else's. */
  forgetPerson(person: Forgotten): Promise<void>;
  /** Stops the turn and forgets everything; the tombstone in D1 keeps the id from being created again, unless it is `free`. Answers whose chat it was. */
  purge(input?: { free: boolean }): Promise<string[]>;
}
