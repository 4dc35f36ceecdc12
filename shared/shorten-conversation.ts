type Spoken = { content: string };

/** How a text says that some of it was left out. */
const CUT = "\n[…]\n";

/**
 * A conversation of at most `limit` characters: what is too long is cut in the middle of a message first, then messages
 * between the first one and the newest are left out, whose number is `left`.
 */
export function shortenConversation<M extends Spoken>(messages: readonly M[], limit: number): { messages: M[]; left: number } {
  const longest = Math.max(1, Math.floor(limit / 4) - CUT.length);
  const cut = messages.map((message) => ({ ...message, content: cutMiddle(message.content, longest) }));
  const [first, ...rest] = cut;
  if (!first) return { messages: [], left: 0 };
  let room = limit - first.content.length;
  const from = rest.findLastIndex((message) => (room -= message.content.length) < 0) + 1;
  return { messages: [first, ...rest.slice(from)], left: from };
}

function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return text.slice(0, half).toWellFormed() + CUT + text.slice(-half).toWellFormed();
}
