import { SquareSlash } from "lucide-react";
import { memo } from "react";
import { TeamBadge } from "#web/features/sharing/team-badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { Kbd } from "#web/ui/kbd.tsx";
import type { PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { type PromptItem, promptSize } from "./prompt-item.ts";

/** A prompt by its name and how much it asks for, or a command. */
export const PromptRow = memo(function PromptRow({ item, isTouch }: PickerRowProps<PromptItem>) {
  const Icon = item.kind === "prompt" ? SquareSlash : item.icon;
  const aside = item.kind === "prompt" ? promptSize(item.prompt) : item.shortcut;
  return (
    <div
      className={cx(
        "flex items-center",
        isTouch ? "h-56 gap-14 pr-48 pl-12 text-15" : "h-36 gap-10 px-8 text-14",
        item.kind === "command" && item.startsSection && "shadow-[0_-1px_0_var(--color-line)]",
      )}
    >
      <Icon aria-hidden className={cx("shrink-0 text-ink2", isTouch ? "size-20" : "size-16")} />
      <span className="min-w-0 flex-1 truncate text-ink" dir="auto">
        {item.name}
      </span>
      {isTouch && item.kind === "prompt" && <TeamBadge teamId={item.prompt.team_id} />}
      {aside !== null && aside !== "" && (
        <span className="shrink-0 text-12 text-ink2 tabular-nums">{item.kind === "command" ? <Kbd>{aside}</Kbd> : aside}</span>
      )}
    </div>
  );
});
