import { Boxes, Drama, LogIn, type LucideIcon, Plus, SlidersHorizontal } from "lucide-react";
import { useMemo } from "react";
import { PICKER_COMMANDS } from "#web/features/conversation/prompt-use/picker-commands.ts";
import { openPrompts } from "#web/features/library/prompts/prompts-store.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { Button } from "#web/ui/button.tsx";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind } from "#web/ui/picker/picker-kind.ts";
import type { Steer } from "#web/ui/picker/use-steering.ts";
import { indexNames, matchNames } from "./match-prompts.ts";
import { PromptCard } from "./prompt-card.tsx";
import { type PromptItem, promptSize } from "./prompt-item.ts";
import { PromptRow } from "./prompt-row.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

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
const MANAGE = lastItem("manage", "Manage prompts", "Write, change and order your prompts.", SlidersHorizontal, () => openPrompts());
const MAKE = lastItem("make", "New prompt…", "What you ask again and again, with blanks to fill in.", Plus, () =>
  openPrompts({ kind: "new", from: "" }),
);
const SIGN_IN = lastItem(
  "sign-in",
  "Sign in to use prompts",
  "Prompts are kept with your account, so that every chat and device has them.",
  LogIn,
  () => openPrompts(),
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
