/** Bytes that a header's value may have at the platform's send_email (email.md, B). */
const VALUE_BYTES = 2_048;
/** Besides the thread's first mail, so many of its newest are named. */
const NEWEST = 20;
const ID = /^[^<>\s@\p{Cc}]+@[^<>\s@\p{Cc}]+$/u;

/** The mail that is answered: message ids without angle brackets, the thread's first one first. */
export type Parent = { messageId: string | null; references: readonly string[] };

/** The message ids of a header such as `References`, without angle brackets. */
export function messageIdsIn(header: string): string[] {
  return header.split(/[\s<>,]+/).filter((id) => ID.test(id));
}

/** What puts an answer into its thread (RFC 5322, 3.6.4): `In-Reply-To`, and `References` with the first id and as many of the newest as there is room for. */
export function threadHeaders({ messageId, references }: Parent): Record<string, string> {
  if (messageId === null || !isShort(messageId)) return {};
  const [first, ...later] = [...new Set(references)].filter((id) => id !== messageId && isShort(id));
  const named = [...later.slice(1 - NEWEST), messageId];
  const toValue = () => [...(first === undefined ? [] : [first]), ...named].map((id) => `<${id}>`).join(" ");
  while (named.length > 1 && bytesOf(toValue()) > VALUE_BYTES) named.shift();
  return { "In-Reply-To": `<${messageId}>`, References: toValue() };
}

/** Two of them always fit into a header. */
function isShort(id: string): boolean {
  return ID.test(id) && bytesOf(id) <= VALUE_BYTES / 2 - 3;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
