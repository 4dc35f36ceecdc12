/** What a chat's room can be asked: its object's methods as `stub.ts` offers them, and what they take and answer. */
import type { FileRoom } from "#worker/library/attachments/room.ts";
import type { MailRoom } from "#worker/mail/chat-address/room.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import * as z from "zod/mini";
import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { AttachmentKind } from "#shared/entities/attachment.ts";
import type { ChatSettings, ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { Chat, type ChatDetails } from "#shared/entities/chat.ts";
import type { Message, MessageStatus } from "#shared/entities/message.ts";
import type { Run } from "#shared/entities/outbound/run.ts";
import type { PublicChat } from "#shared/entities/public-chat.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import type { Todo } from "#shared/entities/todo.ts";
import type { WaitingAnswer, WaitingMail } from "#shared/entities/waiting-call.ts";
import type { ToolCall, ToolDecision } from "#shared/entities/tool-call.ts";
import { type ErrorCode, isErrorCode } from "#shared/errors.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import type { PresentPerson } from "#shared/live-events.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { TurnStatus } from "#worker/conversation/turn/turn-status.ts";
import type { BegunTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
import type { NewChat } from "#worker/people/room/new-chat.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { MessagingAnswer, MessagingInput } from "./messaging.ts";
import type { QueueInput } from "./queue.ts";
import type { ChatCopy, CopyPart, CopyPlace } from "./chat-copy.ts";

/** How many streams someone has open of the reply in progress. */
export type StreamsOpen = { replyId: string; open: number };

/** A chat as its file has it, which files its messages carry, and all of its files. */
export type ChatWithFiles = { chat: ExportedChat; sent: { messageId: string; fileIds: string[] }[]; files: RoomFile[] };

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

/** The id of a reply's last call to its model, charged once by it: it holds the generation that it ends. */
export function replyCallId({ replyId, generation }: { replyId: string; generation: number }, rounds: number): string {
  return `${replyId}:${generation}:${rounds}`;
}

/** The generation that such a call ended. */
export function generationOf(callId: string): number {
  return Number(callId.split(":")[1] ?? 0);
}

/** The generation under which the hold of a call that a tool makes stands, by the id that it is charged by: `call:generation:number`. */
export function holdGenerationOf(callId: string): number {
  const [, generation, number] = callId.split(":").map(Number);
  return -((generation ?? 0) * CALLS_PER_GENERATION + (number ?? 0) + 1);
}

/** Far more calls than the tools of one generation of a reply make. */
export const CALLS_PER_GENERATION = 100_000;

/** A row as it stands at a version, and what its reader has to pay; hubs drop rows older than they have. */
export type ChatReport = {
  row: ChatRow;
  version: number;
  updates: ChatUpdate[];
  charges: Charge[];
  /** Calls that wait for the reader's own word. */
  waiting?: WaitingReport[];
  /** Calls of the last reply that waited for the reader's word and have it. */
  decided?: ToolCall[];
  /** Mails of unknown senders, for readers who may decide about them. */
  mails?: QuarantinedMail[];
  /** Answers to mails that wait for the reader's own word. */
  answers?: PendingAnswer[];
};

/** A call that waits for a word, and the reply that it is made for; `isMailed` where the room asks for the word by mail. */
export type WaitingReport = { replyId: string; call: ToolCall; isMailed?: boolean };

/** A mail that waits for a word about its sender. */
export type QuarantinedMail = WaitingMail["mail"] & Pick<WaitingMail, "since" | "expires_at">;

/** An answer to a mail that waits for its payer's word. */
export type PendingAnswer = WaitingAnswer["mail"] & Pick<WaitingAnswer, "message_id" | "since">;

/** What happened, sent to the readers' open tabs along with the row. */
export type ChatUpdate =
  | { type: "reply.started"; messageId: string; replyId: string }
  /** `research` says how a deep research ended, and for whom it was done; `doneFor` who asked here for a reply that is done. */
  | { type: "reply.ended"; replyId: string; research?: { status: MessageStatus; user_id: string }; doneFor?: string }
  | { type: "todo.changed" }
  | { type: "runs.changed" }
  | { type: "mails.changed" }
  | { type: "queue.changed" }
  /** Somebody's account is deleted: what they wrote is nobody's by name. */
  | { type: "person.forgotten" };

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
  /** The chat's mails, which come with the last page; null for who may see none. */
  mails?: { known: MailText[]; isComplete: boolean } | null;
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

export type PresentState = { isHere: boolean; isTyping: boolean };
/** Some of those present and how many they are. */
export type Presence = { people: PresentPerson[]; count: number };

/** What changes who has access to a chat; `admit` makes an invitation the share of the person who has proven its address. */
export type AccessChange =
  | { kind: "share"; input: ShareInput }
  | { kind: "unshare"; of: "user" | "team"; shareId: string }
  | { kind: "leave" }
  | { kind: "admit"; email: string };

/** A chat as a reader's hub holds it: on the list, deleted, lost by the user, or unknown; and what it counts of its files. */
export type HubChat = {
  id: string;
  state: "listed" | "deleted" | "lost" | "unknown";
  version: number;
  stored: { bytes: number; seq: number } | null;
};

/** A chat as a reader's hub holds it, and as its row in the relational database has it, null where there is none. */
export type ComparedChat = { hubChat: HubChat; copy: { title: string; public: boolean } | null };
/** Whether what was seen differed and was repaired; `owned` is the chat's row where the reader owns it. */
export type Reconciled = { isRepaired: boolean; owned: { title: string; public: boolean; created_at: string } | null };

/** What a room is asked about what goes on outside: for a page of it, to end one, or to look at one at once, as its service has an update. */
export type RunsInput = { kind: "list" } | { kind: "stop"; callId: string };

export type RunsAnswer = { runs: Run[] };

/** A person by their id, and every address that was proven to be theirs. */
export type Forgotten = { userId: string; addresses: string[] };

/** Why a room answers no events. */
export const RefusedEvents = z.object({
  ok: z.literal(false),
  code: z.custom<ErrorCode>((code) => typeof code === "string" && isErrorCode(code)),
  message: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
});
export type RefusedEvents = z.infer<typeof RefusedEvents>;

/** A chat's room, which itself decides what who asks may do. */
export interface ChatRoomRpc extends MailRoom, FileRoom {
  /**
   * Begins a turn, and creates the chat with its first message. The same request again answers the same. UNAUTHENTICATED where the
   * session's row was not read and has to be.
   */
  beginTurn(request: TurnRequest): Promise<Outcome<BegunTurn>>;
  /**
   * Founds a chat, empty or with a copy; a chat that exists stays as it is. A quiet one is on nobody's list before its first message.
   * False, and nothing is created, where expected parts of the copy are missing.
   */
  createChat(id: string, chat: NewChat, how?: { isQuiet?: boolean; copy?: ChatCopy; staged?: CopyPlace }): Promise<boolean>;
  /** Takes a part of a copy ahead of its creation; see `stagePart`. True too where there is a chat: `createChat` leaves it as it is. */
  stage(place: CopyPlace, uploaderId: string, part: CopyPart): Promise<boolean>;
  /** Empties a room in which a copy was never created; false where there is a chat by now, or another copy on its way. */
  dropCopy(copyId: string): Promise<boolean>;
  /** The chat as this reader sees it. */
  describe(reader: Reader): Promise<Outcome<RoomDetails>>;
  /** True when this message is already here, so a repeated request isn't counted twice. */
  hasMessage(reader: Reader, messageId: string): Promise<boolean>;
  /** What the reply was asked of, which goes on with it. */
  modelAskedOf(reader: Reader, messageId: string): Promise<Outcome<string | null>>;
  /** What a turn is about that is to begin here, for whoever chooses its model. */
  survey(reader: Reader, input: SurveyInput, attachments: string[] | undefined): Promise<Outcome<Survey>>;
  /** A page of the path this reader looks at. */
  readMessages(reader: Reader, page: PageRequest): Promise<Outcome<MessagePage>>;
  /** Makes the branch through this message the reader's own view, and answers its newest page. */
  select(reader: Reader, messageId: string, limit: number): Promise<Outcome<MessagePage>>;
  /** The chat's todo list, for its members. */
  readTodos(reader: Reader): Promise<Outcome<Todo[]>>;
  /** What goes on outside after its tool call has answered: lists it, or ends one. */
  runs(reader: Reader, input: RunsInput): Promise<Outcome<RunsAnswer>>;
  /** The service that has it as `ref` says that a run has an update. */
  noteRunUpdate(callId: string, ref: string): Promise<void>;
  /** The chat's state before a message is sent, and what became of the message. */
  readTurnStatus(reader: Pick<Reader, "userId">, questionId: string): Promise<Outcome<TurnStatus>>;
  /** What comes in by the messaging app, and what becomes of what went out by it. */
  messaging(input: MessagingInput): Promise<MessagingAnswer>;
  /** A page of the chat's texts, for the search index of one of its members. */
  readTexts(userId: string, input: { from: number; again: number[] }): Promise<Outcome<RoomTexts>>;
  /** Reports to one reader's hub how the chat stands, as its list lacks it. */
  reportTo(userId: string): Promise<void>;
  /** Compares with what is held elsewhere of the chat for one reader, and repairs that; null where no chat is here. */
  reconcile(userId: string, seen: ComparedChat): Promise<Reconciled | null>;
  /** The path up to a message, to be created as another chat. */
  copy(reader: Reader, messageId: string): Promise<Outcome<ChatCopy>>;
  /** All of the chat as a file has it, with what of the reader's own they may read, and the files that go with it. */
  export(reader: Reader, sources: readonly PrivateSource[]): Promise<Outcome<ChatWithFiles>>;
  /** Changes the chat itself; an empty title is not taken. */
  update(reader: Reader, patch: ChatPatch): Promise<Outcome<RoomDetails>>;
  /** A page of the chat for anyone, null where it is not public; `true` where it still is as at `known`. */
  readPublic(page: number, known?: number): Promise<PublicView | true | null>;
  /** The words of a public chat, to be created as another. */
  copyPublic(): Promise<Outcome<{ copy: ChatCopy; version: number }>>;
  /** Shares the chat, takes a share back, lets someone leave or in. */
  changeAccess(reader: Pick<Reader, "userId">, change: AccessChange): Promise<Outcome<null>>;
  /** The ids of everybody who has access to the chat, its owner's too. */
  readerIds(): Promise<string[]>;
  /** Approves or discards a tool call that waits for this person's word, once. */
  decide(reader: Reader, decision: Decision): Promise<Outcome<ToolCall>>;
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
  /** Makes a person nameless whose account is deleted, in a chat of somebody else's. */
  forgetPerson(person: Forgotten): Promise<void>;
}
