import type { ChatCopy, CopyPart } from "#worker/conversation/room/chat-copy.ts";

/** A part has about so many characters: each is in memory several times while it goes from one object to another. */
const PART_CHARACTERS = 500_000;

/** A copy in parts, in their order: at least one, and those of a chat with messages begin with some. A message or a round of tool calls is never cut. */
export function splitCopy({ messages, rounds, compactions }: ChatCopy): CopyPart[] {
  let part: CopyPart = { messages: [], rounds: [], compactions: [] };
  let characters = 0;
  const parts = [part];
  const partFor = (item: unknown): CopyPart => {
    const more = charactersIn(item);
    if (characters > 0 && characters + more > PART_CHARACTERS) {
      part = { messages: [], rounds: [], compactions: [] };
      parts.push(part);
      characters = 0;
    }
    characters += more;
    return part;
  };
  for (const message of messages) partFor(message).messages.push(message);
  for (const { replyId, rounds: own } of rounds) for (const round of own) partFor(round).rounds.push({ replyId, rounds: [round] });
  for (const compaction of compactions) partFor(compaction).compactions.push(compaction);
  return parts;
}

/** About what a value takes as text, names of its fields included. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, own]) => sum + name.length + charactersIn(own), 0);
}
