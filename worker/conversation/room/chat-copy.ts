/** A chat's messages as a room stores them, and as they go from one room or file into another. */
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { ForkOrigin } from "#shared/entities/chat.ts";
import type { Compaction } from "#shared/entities/compaction.ts";
import type { Todo } from "#shared/entities/todo.ts";
import type { StoredRound } from "#worker/conversation/turn/round.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

/** A message as the room stores it; JSON columns as text, money in micro-dollars. */
export type MessageRow = {
  seq: number;
  id: string;
  parent_id: string | null;
  role: string;
  content: string;
  author_id: string | null;
  author_name: string | null;
  model_id: string | null;
  requested_model_id: string | null;
  status: string;
  reasoning: string | null;
  reasoning_details: string | null;
  reasoning_ms: number | null;
  citations: string | null;
  cost_micros: number | null;
  usage: string | null;
  finish_reason: string | null;
  error: string | null;
  generation: number;
  last_seq: number;
  request_hash: string | null;
  reply_id: string | null;
  attachments: string | null;
  autopilot: string | null;
  /** The name of the persona that it speaks as. */
  persona: string | null;
  /** JSON of `OwnLook`. */
  knowledge: string | null;
  /** Milliseconds that a research was worked on, its breaks left out; null for any other message. */
  worked_ms: number | null;
  /** JSON of the mail that it came as. */
  mail: string | null;
  /** JSON of how it came in by the messaging app. */
  messaging: string | null;
  /** JSON of `UsedMemory`. */
  memory: string | null;
  /** JSON of the sections that went along with the question that it answers; null for none. */
  context: string | null;
  /** The schedule that sent it. */
  schedule: string | null;
  /** The person for whom it is no untrusted text: who typed it, or whose turn's model wrote it without reading any; null for everybody else's. */
  trusted_for: string | null;
  /** Whose turn wrote it; null for a question. */
  payer_id: string | null;
  /** 1 where its model read what is its payer's alone: what it thought is then theirs, too. */
  used_own: number;
  created_at: string;
};

/** A compaction as the room stores it: made for a question, it stands for the path up to `lastId` wherever that path goes on. */
export type StoredCompaction = Compaction & { questionId: string; lastId: string };

/** Messages of a chat with all that belongs to them, parents before children. */
export type ChatCopy = {
  title: string;
  settings: ChatSettings;
  createdAt: string;
  /** When it was last written in elsewhere; absent for what is as new as the chat that it becomes. */
  lastAt?: string;
  /** It is of a file that anyone may have written. */
  isImported?: boolean;
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
