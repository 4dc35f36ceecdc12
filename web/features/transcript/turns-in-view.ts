import type { Message } from "#shared/entities/message.ts";

/** What a turn takes at the least, in px: its own room, and what a character of its text adds. */
const TURN_PX = 50;
const CHARACTER_PX = 0.25;

/** How many of the newest turns surely fill this many px. */
export function countInView(path: readonly Pick<Message, "content">[], height: number): number {
  let filled = 0;
  let count = 0;
  for (const { content } of path.toReversed()) {
    if (filled >= height) break;
    filled += TURN_PX + content.length * CHARACTER_PX;
    count += 1;
  }
  return count;
}
