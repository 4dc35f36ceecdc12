import { normalizePath } from "vite";
import { inRoot } from "../paths.ts";

/** What every page draws or starts by itself as soon as it is idle, by its place in `web`; it comes in one file (vite-config.ts). */
export const SOON = [
  "features/conversation/chat/composer-pickers.tsx",
  "features/conversation/chat/offline-banner.tsx",
  "features/conversation/home/home-below.tsx",
  "features/conversation/home/inbox-summary.tsx",
  "features/conversation/home/home-prompts.tsx",
  "features/people/invites/invites-layer.tsx",
  "features/library/knowledge/knowledge-dialog.tsx",
  "features/conversation/chat-settings/record-switch.tsx",
  "features/shell/offline/start-offline.ts",
  "features/library/personas/personas-dialog.tsx",
  "features/conversation/prompt-use/prompt-dock.tsx",
  "features/conversation/prompt-settings/prompts-dialog.tsx",
  "features/conversation/queue/enqueue.ts",
  "features/conversation/queue/queue-dock.tsx",
  "features/conversation/research/research-toast.ts",
  "features/conversation/sending/lost-chat.ts",
  "features/conversation/sending/refusal-notice.tsx",
  "features/conversation/live/go-live.ts",
  "features/conversation/team-usage/budget-notice.tsx",
  "features/conversation/voice/voice-strip.tsx",
  "features/integrations/whatsapp-setup/whatsapp-layer.tsx",
  "features/conversation/workspaces/workspace-switcher.tsx",
  "live-layer.ts",
];

/** What the first screens load besides what every page begins with: the offline shell has it, and what it imports. */
export const FIRST_SCREENS = [
  ...SOON,
  "features/shell/arrival/link-dialogs.tsx",
  "features/conversation/chat-list/chat-list.tsx",
  "features/conversation/replies/reply-stream.ts",
  "features/conversation/transcript/transcript.tsx",
  "features/conversation/turns/pending-edit.tsx",
  "ui/dialog/dialog-popup.tsx",
  "ui/dialog/drawer-popup.tsx",
  "ui/menu/menu-popup.tsx",
];

/** The ids that the bundler gives modules of `web`. */
export function idsOf(parts: readonly string[]): string[] {
  return parts.map((part) => normalizePath(inRoot("web", ...part.split("/"))));
}
