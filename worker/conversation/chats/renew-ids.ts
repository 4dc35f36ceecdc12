import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** The same messages and tool calls under ids of their own; what refers to a message that is not among them refers to nothing. */
export function renewIds(copy: ChatCopy): ChatCopy {
  const ids = new Map(copy.messages.map(({ id }) => [id, crypto.randomUUID()]));
  const renew = (id: string) => ids.get(id) ?? id;
  return {
    ...copy,
    compactions: copy.compactions.flatMap((made) => {
      const [questionId, lastId] = [ids.get(made.questionId), ids.get(made.lastId)];
      return questionId && lastId ? [{ ...made, questionId, lastId }] : [];
    }),
    headId: copy.headId && (ids.get(copy.headId) ?? null),
    messages: copy.messages.map((row) => ({ ...row, id: renew(row.id), parent_id: row.parent_id && (ids.get(row.parent_id) ?? null) })),
    rounds: copy.rounds.map(({ replyId, rounds }) => ({
      replyId: renew(replyId),
      rounds: rounds.map((round) => ({ ...round, calls: round.calls.map((call) => ({ ...call, id: crypto.randomUUID() })) })),
    })),
  };
}
