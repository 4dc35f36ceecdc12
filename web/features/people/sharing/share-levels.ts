import type { ShareLevel } from "#shared/entities/share.ts";

/** The levels a chat is shared at, as people read them. */
export const SHARE_LEVELS = [
  { value: "viewer", label: "Viewer" },
  { value: "editor", label: "Editor" },
] as const satisfies readonly { value: ShareLevel; label: string }[];
