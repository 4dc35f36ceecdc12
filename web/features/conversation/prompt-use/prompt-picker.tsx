import { Boxes, Drama, LogIn, type LucideIcon, Plus, SlidersHorizontal, SquareSlash } from "lucide-react";
import { useMemo, memo } from "react";
import { PICKER_COMMANDS } from "#web/features/conversation/prompt-use/picker-commands.ts";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { Button } from "#web/ui/button.tsx";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import type { Steer } from "#web/ui/picker/use-steering.ts";
import { indexNames, matchNames } from "./match-prompts.ts";
import { PromptCard } from "./prompt-card.tsx";
import { type PromptItem, promptSize } from "./prompt-item.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { teamNameOf } from "#web/features/people/teams/use-content-rights.ts";
import { useTeams } from "#web/features/people/teams/own-teams.ts";
import { cx } from "#web/ui/cx.ts";
import { Kbd } from "#web/ui/kbd.tsx";

/** A prompt by its name and how much it asks for, or a command. */
const PromptRow = memo(function PromptRow({ item, isTouch }: PickerRowProps<PromptItem>) {
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

const PROMPTS: PickerKind<PromptItem> = {
  idOf: ({ id }) => id,
  textOf: ({ name }) => name,
  aboutOf: (item) => (item.kind === "command" ? item.about : [promptSize(item.prompt), item.prompt.preview].filter(Boolean).join(". ")),
  Row: PromptRow,
  rowHeight: { desk: 36, touch: 56 },
  Details: PromptCard,
  size: { width: 320, card: 432 },
};

const COMMAND_ICONS: Readonly<Record<string, LucideIcon>> = { "/model": Boxes, "/persona": Drama };

/** What stands at the list's end, in any search of a drawer too. */
function lastItem(id: string, name: string, about: string, icon: LucideIcon, run: () => void): PromptItem {
  return { kind: "command", id, name, about, icon, shortcut: null, startsSection: true, run };
}
const MANAGE = lastItem("manage", "Manage prompts", "Write, change and order your prompts.", SlidersHorizontal, () =>
  openManage("prompts"),
);
const MAKE = lastItem("make", "New prompt…", "What you ask again and again, with blanks to fill in.", Plus, () =>
  openManage("prompts", { kind: "new", from: "" }),
);
const SIGN_IN = lastItem(
  "sign-in",
  "Sign in to use prompts",
  "Prompts are kept with your account, so that every chat and device has them.",
  LogIn,
  () => openManage("prompts"),
);

type PromptPickerProps = {
  open: boolean;
  /** What it stands above: the composer. */
  anchor: HTMLElement;
  isAccount: boolean;
  /** The field that is written in and what is behind its slash; without it the list has its own search. */
  steer: Steer | undefined;
  onPick: (item: PromptItem) => void;
  onClose: () => void;
};

/** The prompts and commands behind `/`. Loaded with the first opening. */
export default function PromptPicker({ open, anchor, isAccount, steer, onPick, onClose }: PromptPickerProps) {
  const { prompts, isPending, error, refetch } = usePrompts();
  const all = useMemo(() => prompts.map((prompt): PromptItem => ({ kind: "prompt", id: prompt.id, name: prompt.name, prompt })), [prompts]);
  const commands = useMemo(
    () =>
      PICKER_COMMANDS.map(({ command, label, about, run }, index): PromptItem => {
        const icon = COMMAND_ICONS[command] ?? Boxes;
        return { kind: "command", id: command, name: label, about, icon, shortcut: command, startsSection: index === 0, run };
      }),
    [],
  );
  const index = useMemo(
    () => indexNames([...all, ...commands], (item) => (item.kind === "command" ? `${item.id.slice(1)} ${item.name}` : item.name)),
    [all, commands],
  );
  const query = steer?.query ?? "";
  const found = useMemo(() => matchNames(index, query), [index, query]);
  // A path or a word that no prompt is called by is what the person writes.
  const items = query.trim() === "" ? [...found, isAccount ? (prompts.length === 0 ? MAKE : MANAGE) : SIGN_IN] : found;
  return (
    <Picker
      open={open && (items.length > 0 || (isAccount && isPending))}
      anchor={anchor}
      label="Prompts"
      kind={PROMPTS}
      items={items}
      selected={NONE}
      listLabel="Prompts"
      search={{ label: "Search prompts", placeholder: "Search prompts..." }}
      {...(steer && { steer })}
      renderNotice={({ matches, onClear }) => (
        <ListNotice
          state={
            error
              ? "failed"
              : isAccount && isPending
                ? "loading"
                : isAccount && prompts.length === 0
                  ? "empty"
                  : matches === 0
                    ? "unmatched"
                    : "listed"
          }
          onRetry={() => void refetch()}
          onClear={onClear}
        />
      )}
      onPick={onPick}
      onClose={onClose}
    />
  );
}

const NONE: readonly string[] = [];

type ListState = "failed" | "loading" | "empty" | "unmatched" | "listed";

const TEXTS: Readonly<Record<Exclude<ListState, "listed">, string>> = {
  failed: "The prompts could not be loaded.",
  loading: "Loading prompts…",
  empty: "You have no prompts yet. What you ask again and again is written once and kept here.",
  unmatched: "No prompt is called that.",
};

function ListNotice({ state, onRetry, onClear }: { state: ListState; onRetry: () => void; onClear: () => void }) {
  if (state === "listed") return null;
  return (
    <div role="status" className="flex items-center justify-between gap-12 px-16 pt-12 pb-4 text-13 text-ink2">
      <span>{TEXTS[state]}</span>
      {state === "failed" && <TryAgain onMouseDown={(event) => event.preventDefault()} onClick={onRetry} />}
      {state === "unmatched" && (
        <Button size="sm" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}
