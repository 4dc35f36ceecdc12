import { normalizePath } from "vite";
import { inRoot } from "../paths.ts";

/** What every page draws or starts by itself as soon as it is idle, by its place in `web`; it comes in one file (vite-config.ts). */
export const SOON = [
  "features/chat/composer-pickers.tsx",
  "features/chat/offline-banner.tsx",
  "features/home/home-below.tsx",
  "features/home/home-news.tsx",
  "features/home/home-prompts.tsx",
  "features/invites/invites-layer.tsx",
  "features/knowledge/knowledge-layer.tsx",
  "features/memory/record-switch.tsx",
  "features/offline/start-offline.ts",
  "features/personas/personas-layer.tsx",
  "features/prompt-use/prompt-dock.tsx",
  "features/prompts/prompts-layer.tsx",
  "features/queue/enqueue.ts",
  "features/queue/queue-dock.tsx",
  "features/research/research-news.ts",
  "features/sending/lost-chat.ts",
  "features/sending/refusal-notice.tsx",
  "features/session/go-live.ts",
  "features/team-usage/budget-notice.tsx",
  "features/voice/voice-strip.tsx",
  "features/whatsapp-setup/whatsapp-layer.tsx",
  "features/workspaces/workspace-switcher.tsx",
  "live-layer.ts",
];

/** What the first screens load besides what every page begins with: the offline shell has it, and what it imports. */
export const FIRST_SCREENS = [
  ...SOON,
  "features/arrival/link-dialogs.tsx",
  "features/chat-list/chat-list.tsx",
  "features/replies/reply-stream.ts",
  "features/transcript/transcript.tsx",
  "features/turns/pending-edit.tsx",
  "ui/dialog/dialog-popup.tsx",
  "ui/dialog/drawer-popup.tsx",
  "ui/menu/menu-popup.tsx",
];

/** The ids that the bundler gives modules of `web`. */
export function idsOf(parts: readonly string[]): string[] {
  return parts.map((part) => normalizePath(inRoot("web", ...part.split("/"))));
}
