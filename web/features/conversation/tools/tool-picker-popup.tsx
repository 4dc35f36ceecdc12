import { Check } from "lucide-react";
import { memo, useState } from "react";
import { isAvailable } from "#shared/entities/tool-category.ts";
import { useConnectGoogle } from "#web/features/people/linked-sign-ins/use-connect-google.ts";
import { SignInDialog } from "#web/features/people/session/sign-in-dialog.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { CategoryIcon } from "./category-icon.tsx";
import { CategoryStateBadge } from "./category-state-badge.tsx";
import { automaticNote } from "./optional-categories.ts";
import { useCategories } from "./use-categories.ts";
import type { OfferedCategory } from "./use-tool-choice.ts";

const CategoryRow = memo(function CategoryRow({ item, isSelected, isTouch }: PickerRowProps<OfferedCategory>) {
  return (
    <div className={cx("flex items-start gap-10 py-8", isTouch ? "min-h-56 px-12" : "px-10")}>
      <CategoryIcon name={item.icon} className="mt-2 size-16 text-ink2" />
      <span className="min-w-0 flex-1">
        <span className={cx("flex items-center gap-8 text-14", item.isBarred ? "text-ink2" : "text-ink")}>
          <span className="min-w-0 truncate">{item.name}</span>
          <CategoryStateBadge state={item.state} />
        </span>
        <span className="line-clamp-2 text-12 text-ink2">{item.description}</span>
      </span>
      {!item.isBarred && <Tick isOn={isSelected} />}
    </div>
  );
});

const CATEGORIES: PickerKind<OfferedCategory> = {
  idOf: ({ id }) => id,
  textOf: ({ name, description }) => `${name} ${description}`,
  nameOf: ({ name }) => name,
  aboutOf: ({ description }) => description,
  isBarred: ({ isBarred = false }) => isBarred,
  Row: CategoryRow,
  rowHeight: { desk: 68, touch: 68 },
  size: { width: 320 },
};

type ToolPickerPopupProps = {
  open: boolean;
  /** The button it belongs to. */
  anchor: HTMLElement;
  offered: readonly OfferedCategory[];
  /** The ids of the categories that are on. */
  chosen: readonly string[];
  onToggle: (id: string) => void;
  onClose: () => void;
  /** False where leaving for the settings would lose what is being done. */
  hasSettings?: boolean;
};

/** The optional categories, each on or off, and what is used without asking. Loaded with the first opening. */
export default function ToolPickerPopup({ open, anchor, offered, chosen, onToggle, onClose, hasSettings = true }: ToolPickerPopupProps) {
  const note = automaticNote(useCategories());
  const { user } = useSession();
  const settings = useSettings();
  const connect = useConnectGoogle();
  const [wanted, setWanted] = useState<string | null>(null);
  const pick = ({ id, name, state, isBarred }: OfferedCategory) => {
    if (isBarred) return;
    if (state === "unconnected" && !chosen.includes(id)) onToggle(id);
    if (isAvailable({ state })) return onToggle(id);
    onClose();
    if (state === "needs_account") setWanted(name);
    else if (state === "unindexed") settings.open("tools");
    else connect.mutate([id === "gmail" ? "gmail" : "drive"]);
  };
  return (
    <>
      <SignInDialog
        open={wanted !== null}
        onClose={() => setWanted(null)}
        what={`use ${wanted ?? "tools"}`}
        why="This tool reaches what is yours, or acts in your name. That needs an account of your own."
      />
      <Picker
        open={open}
        anchor={anchor}
        owner={anchor.closest("[data-composer]")}
        label="Select tools"
        kind={CATEGORIES}
        items={hasSettings ? offered : offered.filter(isAvailable)}
        selected={chosen}
        isMultiple
        listLabel="Tools"
        footer={
          <div className="text-12 text-ink2">
            {note !== null && <p>{note}</p>}
            {hasSettings && user && !user.anonymous && (
              <Button
                variant="quiet"
                size="sm"
                className="mt-4 -ml-12"
                onClick={() => {
                  onClose();
                  settings.open("tools");
                }}
              >
                Tool settings
              </Button>
            )}
          </div>
        }
        onPick={pick}
        onClose={onClose}
      />
    </>
  );
}

function Tick({ isOn }: { isOn: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        "mt-2 inline-flex size-16 shrink-0 items-center justify-center rounded-[4px] border transition-colors duration-120",
        isOn ? "border-accent bg-accent" : "border-line-strong bg-s2",
      )}
    >
      {isOn && <Check aria-hidden className="size-12 text-accent-ink [stroke-width:2.4]!" />}
    </span>
  );
}
