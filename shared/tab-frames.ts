import * as z from "zod/mini";
import { Id } from "./entities/ids.ts";

/**
 * What a tab says over its live socket, besides the text `ping`: said when it changes. While it is visible the tab sends `ping`
 * every `ATTENTION_REPEAT_MS` (answered without waking anything), and in a shared chat repeats its attention at that pace.
 */
export const TabFrame = z.strictObject({
  type: z.literal("attention"),
  /** The chat on screen; null where there is none. */
  chat_id: z.nullable(Id),
  /** Whether the page is looked at: what a chat gets meanwhile counts as read. */
  visible: z.boolean(),
  /** Whether its person types here; said again every `TYPING_REPEAT_MS` while they do. */
  typing: z.boolean(),
  /** True once for each time the chat is opened in this tab: that alone takes away an unread mark set by hand. */
  opened: z._default(z.boolean(), false),
});
export type TabFrame = z.input<typeof TabFrame>;
