import type { Endpoint, InputOf } from "#shared/contracts/endpoint.ts";
import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import { callForEvents } from "#web/lib/api.ts";
import { beginAwaitingFirstText } from "#web/lib/first-text.ts";
import { streamFromResponse } from "#web/features/conversation/replies/reply-streams.ts";

type Beginning<E extends Endpoint> = {
  chatId: string;
  input: InputOf<E>;
  /** Puts the reply into its chat, before any event of it is passed on: its end may have come along. */
  onStarted: (started: TurnStarted) => void;
};

/** Begins a turn and follows its reply by the very answer; until its first words stand there, what can wait waits. Throws `ApiError`. */
export async function beginTurn<E extends Endpoint>(endpoint: E, { chatId, input, onStarted }: Beginning<E>): Promise<void> {
  const endWait = beginAwaitingFirstText();
  try {
    const [response, { createReplyStream, readAnswer }] = await Promise.all([
      callForEvents(endpoint, input),
      import("#web/features/conversation/replies/reply-stream.ts"),
    ]);
    if (!response.body) throw new Error("The answer to a message has no events.");
    const answer = await readAnswer(response.body);
    onStarted(answer.started);
    streamFromResponse({ chatId, answer, createReplyStream, onFirstText: endWait });
  } catch (error) {
    endWait();
    throw error;
  }
}
