import type { ApprovalAnswer } from "#worker/mail/chat-address/room.ts";

const YES = /^(?:ok|okay|k|yes|yep|send|send it|approve|approved|go|go ahead)[.!]*$/i;
const NO = /^(?:no|nope|don.?t|discard|cancel|stop|do not send|don.?t send)[.!]*$/i;
/** What programs and people put below their words by habit. */
const CLOSING =
  /^(?:thanks|thank you|many thanks|best|regards|best regards|kind regards|cheers|sent from my .{1,40}|sent with .{1,40}|get outlook for .{1,20})[.,!]*$/i;
const TEXT_LENGTH = 20_000;

/**
 * Reads the own words of an answer; null where there are none. Only an answer that says nothing else approves: whatever stands
 * beside the one word, other than a closing and the person's own name, is a change to be made and asked about again.
 */
export function readAnswer(given: string, name: string): ApprovalAnswer | null {
  const text = given
    .split(/^-- ?$/m)[0]
    ?.replaceAll(/[\u200B\u200E\u200F\uFEFF]/g, "")
    .trim();
  if (!text) return null;
  const [first = "", ...others] = text.split("\n").map((line) => line.trim());
  const names = new Set([name, name.split(" ")[0] ?? name].map((one) => one.toLowerCase()));
  const isAlone = others.every((line) => line === "" || CLOSING.test(line) || names.has(line.toLowerCase()));
  if (isAlone && YES.test(first)) return { kind: "approve" };
  if (isAlone && NO.test(first)) return { kind: "discard" };
  return { kind: "change", text: text.slice(0, TEXT_LENGTH).toWellFormed() };
}
