import { SquareSlash } from "lucide-react";
import { memo } from "react";
import { teamNameOf } from "#web/features/people/teams/use-content-rights.ts";
import { useTeams } from "#web/features/people/teams/own-teams.ts";
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
        item.kind === "command" &&
          item.startsSection &&
          "relative before:absolute before:inset-x-8 before:-top-1 before:h-1 before:bg-line",
      )}
    >
      <Icon aria-hidden className={cx("shrink-0 text-ink2", isTouch ? "size-20" : "size-16")} />
      <span className="min-w-0 flex-1">
        <span className={cx("block truncate text-ink", isTouch && "text-15/20")} dir="auto">
          {item.name}
        </span>
        {isTouch && item.kind === "prompt" && <SecondLine teamId={item.prompt.team_id} size={promptSize(item.prompt)} />}
      </span>
      {!(isTouch && item.kind === "prompt") && aside !== null && aside !== "" && (
        <span className="shrink-0 text-12 text-ink2 tabular-nums">{item.kind === "command" ? <Kbd>{aside}</Kbd> : aside}</span>
      )}
    </div>
  );
});

/** On phones whose it is and what it asks for stand below the name, which needs its line. */
function SecondLine({ teamId, size }: { teamId: string | null; size: string }) {
  const team = teamNameOf(teamId, useTeams(teamId !== null).data?.teams ?? []);
  const note = [team, size].filter(Boolean).join(" · ");
  return note === "" ? null : <span className="block truncate text-13/18 text-ink2 tabular-nums">{note}</span>;
}
