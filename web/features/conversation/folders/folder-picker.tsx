import { Check, Folder as FolderIcon, FolderMinus, FolderPlus } from "lucide-react";
import { useMemo, useState } from "react";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { FOLDER_NAME_LENGTH } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { INDENT_PX } from "./drop-place.ts";
import { pathOf } from "#shared/folders/tree.ts";
import { UnreadFiling } from "#web/features/conversation/tags/unread-filing.tsx";
import { linesOf } from "./folder-tree.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";

type Choice =
  | { kind: "none"; label: string }
  | { kind: "folder"; folder: Folder; level: number; path: string; isSearch: boolean }
  | { kind: "new"; name: string };

function idOf(choice: Choice): string {
  return choice.kind === "folder" ? choice.folder.id : choice.kind;
}

const ICONS = { none: FolderMinus, folder: FolderIcon, new: FolderPlus } as const;

const CHOICES: PickerKind<Choice> = {
  idOf,
  // What is offered to be made matches what is typed.
  textOf: (choice) => (choice.kind === "folder" ? choice.path : choice.kind === "new" ? choice.name : choice.label),
  nameOf: (choice) => (choice.kind === "folder" ? choice.path : choiceLabel(choice)),
  Row: ChoiceRow,
  rowHeight: { desk: 36, touch: 48 },
  size: { width: 300, height: 320 },
};

function choiceLabel(choice: Choice): string {
  if (choice.kind === "new") return `New folder “${choice.name}”`;
  return choice.kind === "none" ? choice.label : choice.isSearch ? choice.path : choice.folder.name;
}

function ChoiceRow({ item, isSelected, isTouch }: PickerRowProps<Choice>) {
  const Icon = ICONS[item.kind];
  const indent = item.kind === "folder" && !item.isSearch ? (item.level - 1) * INDENT_PX : 0;
  return (
    <span
      style={{ paddingLeft: 10 + indent }}
      className={cx("flex min-w-0 flex-1 items-center gap-10 pr-10 text-ink", isTouch ? "h-48 text-16" : "h-36 text-14")}
    >
      <Icon aria-hidden className={cx("shrink-0 text-ink2", isTouch ? "size-20" : "size-16")} />
      <span className="min-w-0 flex-1 truncate">{choiceLabel(item)}</span>
      {isSelected && <Check aria-hidden className="size-16 shrink-0 text-accent" />}
    </span>
  );
}

type FolderPickerProps = {
  anchor: HTMLElement;
  label: string;
  folders: readonly Folder[];
  /** The folder that it is in now. */
  selectedId: string | null;
  /** The way out of all folders; null where there is nothing to take out. */
  none: string | null;
  onPick: (folder: Folder | null) => void;
  /** Makes a folder of the name that was typed; absent where none can be made. */
  onNew?: (name: string) => void;
  onClose: () => void;
};

/** The tree to pick a folder from, narrowed by typing, with a new one of the typed name. */
export function FolderPicker({ anchor, label, folders, selectedId, none, onPick, onNew, onClose }: FolderPickerProps) {
  const [query, setQuery] = useState("");
  const { isReady } = useFolders();
  // What is not known to be missing is not made.
  const name = isReady ? query.trim().slice(0, FOLDER_NAME_LENGTH) : "";
  const choices = useMemo(() => choicesOf(folders, { none, name }), [folders, none, name]);
  return (
    <Picker
      open
      anchor={anchor}
      label={label}
      kind={CHOICES}
      items={onNew ? choices : choices.filter(({ kind }) => kind !== "new")}
      selected={selectedId === null ? [] : [selectedId]}
      listLabel="Folders"
      search={{ label: "Search folders", placeholder: onNew ? "Search or name a new folder..." : "Search folders..." }}
      onQuery={setQuery}
      renderNotice={({ matches }) =>
        !isReady ? (
          <UnreadFiling what="folders" className="px-20 py-10 desk:px-14" />
        ) : matches > 0 ? null : (
          <p className="px-20 py-10 text-13 text-ink2 desk:px-14">
            {query === "" ? "There are no folders yet. Type a name to make one." : "No folder of that name."}
          </p>
        )
      }
      onPick={(choice) => {
        if (choice.kind === "new") onNew?.(choice.name);
        else onPick(choice.kind === "folder" ? choice.folder : null);
      }}
      onClose={onClose}
    />
  );
}

function choicesOf(folders: readonly Folder[], { none, name }: { none: string | null; name: string }): Choice[] {
  const isSearch = name !== "";
  const tree = linesOf(folders, () => true).map(({ folder, level }): Choice => {
    const path = pathOf(folders, folder.id)
      .map((step) => step.name)
      .join(" / ");
    return { kind: "folder", folder, level, path, isSearch };
  });
  const isKnown = folders.some((folder) => folder.name.toLowerCase() === name.toLowerCase());
  return [
    ...(none === null ? [] : [{ kind: "none" as const, label: none }]),
    ...tree,
    ...(isSearch && !isKnown ? [{ kind: "new" as const, name }] : []),
  ];
}
