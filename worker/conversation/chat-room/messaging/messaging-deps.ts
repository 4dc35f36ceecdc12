import type { Tool } from "#worker/conversation/tools/tool.ts";
import type { Env } from "#worker/platform/env.ts";
import type { AnswerInput, AnswerOutcome } from "#worker/mail/chat-address/room.ts";
import type { MessagingAnswer, MessagingInput } from "#worker/conversation/room/messaging.ts";

/** What the messaging app needs of its room. */
export type MessagingDeps = {
  env: Env;
  storage: DurableObjectStorage;
  /** All tools that there are: a question names what is asked for in their order. */
  tools: readonly Tool[];
  /** Later work: `out` for what goes out, else `begin`, `answer` or `typing` with a message's id behind a colon. */
  schedule(work: string, at: number): Promise<void>;
  cancel(work: string): void;
  /** Notifies the readers' tabs that it changed how an answer went out; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
  notifyQueue(): void;
  /** True for a message that is leaving the queue at this moment. */
  isBeingSent(id: string): boolean;
  notifyStored(): Promise<void>;
  /** Sends what waits its turn. */
  advance(): void;
  /** Asks about the waiting calls that nobody was asked about yet. */
  askAgain(): Promise<void>;
  answerApproval(input: AnswerInput): Promise<AnswerOutcome>;
};

/** The messaging app in one room. */
export type Messaging = {
  call(input: MessagingInput): Promise<MessagingAnswer>;
  /** Asks for a person's word about a call that waits, by buttons. */
  ask(callId: string, question: { token: string; userId: string }): Promise<void>;
  /** A turn that a message began has settled. */
  settled(id: string): Promise<void>;
  /** Goes on when its time has come; answers when it is due again, null where it is over. */
  due(work: string): Promise<number | null>;
};
