/** What of a message the list of chats shows. The markdown parser behind it comes with an isolate's first room, not with the Worker's start. */
import { CHAT_PREVIEW_LENGTH } from "#shared/limits.ts";
import type { toPlainText } from "#shared/markdown/plain-text.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Markdown beyond this many characters can't reach the preview. */
const SOURCE_LENGTH = 500;

const plainText = loadOnce(() => import("#shared/markdown/plain-text.ts"));
let toText: typeof toPlainText | null = null;

/** Has an object wait at its start until previews can be made; only the first of an isolate has to. */
export function preparePreviews(ctx: Pick<DurableObjectState, "blockConcurrencyWhile">): void {
  if (toText) return;
  void ctx.blockConcurrencyWhile(async () => {
    toText = (await plainText()).toPlainText;
  });
}

/** A message's text on one line, without its markup. */
export function previewOf(content: string): string {
  if (!toText) throw new Error("A room makes no preview before it is prepared");
  return toText(content.slice(0, SOURCE_LENGTH), CHAT_PREVIEW_LENGTH);
}
