import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { FOLDER_DEPTH } from "#shared/limits.ts";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { useOwnTeams } from "#web/features/conversation/workspaces/use-own-teams.ts";
import { useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { cx } from "#web/ui/cx.ts";
import { makeFolder, moveFolder, removeFolder, renameFolder } from "./change-folders.ts";
import { drawnTrees, useDraggedOver } from "./drag-state.ts";
import { INDENT_PX } from "./drop-place.ts";
import { canMove, stepDestination } from "./folder-moves.ts";
import { FolderNameField } from "./folder-name-field.tsx";
import { FolderRow, openFolderMenu } from "./folder-row.tsx";
import {
  type Naming,
  setFolderOpen,
  setNaming,
  consumeLastViewedFolder,
  useNaming,
  useOpenFolders,
} from "#web/features/conversation/list-state/folder-state.ts";
import { pathOf } from "#shared/folders/tree.ts";
import { linesOf, siblingsOf, totalsOf } from "./folder-tree.ts";
import { askForPlace } from "./place-question.ts";
import { treeCommand } from "./tree-keys.ts";

type FolderTreeViewProps = {
  folders: readonly Folder[];
  /** Below which folder the tree begins; null for all of it. */
  root: string | null;
  inDrawer: boolean;
  /** False where it is there to be dropped on alone. */
  isLive?: boolean;
  /** Down from the last folder, to what comes after the tree. */
  onLeave?: () => void;
  onRows?: (rows: number) => void;
};

/** The tree of folders: opened and closed, named, moved and deleted by pointer and by keys. */
export function FolderTreeView({ folders, root, inDrawer, isLive = true, onLeave, onRows }: FolderTreeViewProps) {
  const open = useOpenFolders();
  const currentNaming = useNaming();
  const naming = isLive ? currentNaming : null;
  const over = useDraggedOver();
  const team = useTeamNames();
  const tree = useRef<HTMLDivElement>(null);
  const treeId = useId();
  const [announcement, setSaid] = useState("");
  const lines = useMemo(() => linesOf(folders, (id) => open.has(id), root), [folders, open, root]);
  const totals = useMemo(() => totalsOf(folders), [folders]);
  const rowPx = inDrawer ? 44 : 36;
  const newAt = naming?.kind === "new" ? placeOfNew(lines, naming.parentId, root) : null;
  useLayoutEffect(() => {
    if (tree.current) drawnTrees.set(tree.current, { id: treeId, lines, folders, rowPx });
    onRows?.(lines.length);
  });

  const { active, focus, onFocus } = useRowFocus(tree, lines, isLive);
  const move = async (folder: Folder, step: Parameters<typeof stepDestination>[2]) => {
    const place = stepDestination(folders, folder.id, step);
    if (!place || !canMove(folders, folder.id, place, FOLDER_DEPTH)) return setSaid(`“${folder.name}” cannot go further.`);
    if (place.parentId !== null) setFolderOpen([place.parentId], true);
    const moving = moveFolder(folder.id, place);
    focus(folder.id);
    if (await moving) setSaid(whereNow(folder, place, folders));
  };
  const remove = async (folder: Folder) => {
    const at = lines.findIndex((line) => line.folder.id === folder.id);
    const heir = lines[at + 1] ?? lines[at - 1];
    if (heir) focus(heir.folder.id);
    await removeFolder(folder);
  };
  const onKeyDown = (event: KeyboardEvent, folder: Folder) => {
    const command = treeCommand(event, lines, folder.id);
    if (command === null) return;
    event.preventDefault();
    event.stopPropagation();
    switch (command.kind) {
      case "focus":
        return focus(command.id);
      case "leave":
        return command.by > 0 ? onLeave?.() : undefined;
      case "open":
      case "close":
        return setFolderOpen([command.id], command.kind === "open");
      case "move":
        return void move(folder, command.step);
      case "rename":
        return setNaming({ kind: "rename", id: folder.id });
      case "place":
        return askForPlace(folder.id);
      case "remove":
        return void remove(folder);
      case "menu":
        return openFolderMenu(event.currentTarget);
      case "view":
        return setView("all", { folder: folder.id });
    }
  };
  const named = (what: Naming, name: string | null, isByKey: boolean) => {
    setNaming(null);
    if (what.kind === "rename") {
      if (name !== null) void renameFolder(what.id, name);
      if (isByKey) focus(what.id);
    } else if (name !== null) {
      void makeFolder({ name, parentId: what.parentId }).then((made) => {
        if (made && isByKey) focus(made.id);
      });
    } else if (isByKey && what.parentId !== null) focus(what.parentId);
  };
  const field = (what: Naming, name: string, level: number) => (
    <NamingRow key="naming" name={name} level={level} inDrawer={inDrawer} onDone={(next, isByKey) => named(what, next, isByKey)} />
  );
  const rows = lines.flatMap((line) => {
    const { id } = line.folder;
    if (naming?.kind === "rename" && naming.id === id) return [field(naming, line.folder.name, line.level)];
    return [
      <FolderRow
        key={id}
        line={line}
        counts={(line.isOpen ? undefined : totals.get(id)) ?? { chats: line.folder.chat_count, unread: line.folder.unread_count }}
        team={line.level === 1 && root === null ? team(line.folder) : null}
        isActive={isLive && id === active}
        isTarget={over?.tree === treeId && over.place !== "out" && over.place.kind === "into" && over.place.id === id}
        inDrawer={inDrawer}
        onOpen={() => setView("all", { folder: id })}
        onKeyDown={(event) => onKeyDown(event, line.folder)}
      />,
    ];
  });
  if (naming?.kind === "new" && newAt) rows.splice(newAt.row, 0, field(naming, "", newAt.level));
  const between = over && over.tree === treeId && over.place !== "out" && over.place.kind === "between" ? over.place : null;
  return (
    <>
      <div
        ref={tree}
        data-folder-tree
        className="relative"
        {...(rows.length > 0 && { role: "tree", "aria-label": "Folders" })}
        onFocus={onFocus}
      >
        {rows}
        {between && (
          <span
            aria-hidden
            className="pointer-events-none absolute right-12 h-2 -translate-y-1 rounded-full bg-accent"
            style={{ top: between.row * rowPx, left: 20 + (between.level - 1) * INDENT_PX }}
          />
        )}
      </div>
      {isLive && (
        <p role="status" className="sr-only">
          {announcement}
        </p>
      )}
    </>
  );
}

type NamingRowProps = { name: string; level: number; inDrawer: boolean; onDone: (name: string | null, isByKey: boolean) => void };

/** The field in the place of a folder's row; without a name it is a new one's. */
function NamingRow({ name, level, inDrawer, onDone }: NamingRowProps) {
  return (
    <div
      // A tree holds such rows alone.
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      aria-label={name || "New folder"}
      tabIndex={-1}
      style={{ paddingLeft: (inDrawer ? 32 : 20) + (level - 1) * INDENT_PX }}
      className={cx("flex items-center py-4", inDrawer ? "mx-8 h-44 pr-12" : "mx-12 h-36 pr-8")}
    >
      <FolderNameField name={name} className="h-28 touch:h-36" onDone={onDone} />
    </div>
  );
}

/** The one row that Tab reaches, and a row's focus, which outlives its moving and waits for it to be there. */
function useRowFocus(tree: RefObject<HTMLDivElement | null>, lines: ReturnType<typeof linesOf<Folder>>, isLive: boolean) {
  const [last, setLast] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return undefined;
    const frame = focusWanted(tree, wanted);
    return () => cancelAnimationFrame(frame);
  });
  const comeBack = useEffectEvent(() => {
    const id = isLive ? consumeLastViewedFolder() : null;
    if (id === null || document.activeElement !== document.body || lines.every(({ folder }) => folder.id !== id)) return;
    wanted.current = id;
    focusWanted(tree, wanted);
  });
  useEffect(() => comeBack(), []);
  return {
    active: lines.some(({ folder }) => folder.id === last) ? last : (lines[0]?.folder.id ?? null),
    focus: (id: string) => {
      setLast(id);
      wanted.current = id;
      focusWanted(tree, wanted);
    },
    onFocus: ({ target }: FocusEvent) => {
      const id = target instanceof HTMLElement && target.dataset["folder"];
      if (!id) return;
      setLast(id);
      if (wanted.current !== id) wanted.current = null;
    },
  };
}

/** Where the field of a new folder stands: after all that its parent shows. */
function placeOfNew(
  lines: ReturnType<typeof linesOf<Folder>>,
  parentId: string | null,
  root: string | null,
): { row: number; level: number } | null {
  if (parentId === root) return { row: lines.length, level: 1 };
  const at = lines.findIndex(({ folder }) => folder.id === parentId);
  const parent = lines[at];
  if (!parent) return null;
  const after = lines.findIndex(({ level }, index) => index > at && level <= parent.level);
  return { row: after === -1 ? lines.length : after, level: parent.level + 1 };
}

/** Gives the focus to the row that is to have it, behind the next frame, as one that is moved loses it; one that is not there yet is waited for. */
function focusWanted(tree: RefObject<HTMLElement | null>, wanted: RefObject<string | null>): number {
  return requestAnimationFrame(() => {
    const row = wanted.current !== null && tree.current?.querySelector<HTMLElement>(`[data-folder="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    if (!hasMovedFocusElsewhere(tree.current)) row.focus();
  });
}

/** True where the person went on meanwhile to something else. A menu that closes late may have given the focus to its button. */
function hasMovedFocusElsewhere(tree: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (!active || !tree || tree.contains(active)) return false;
  return !active.contains(tree) && !active.matches("[aria-haspopup]");
}

function whereNow(
  folder: Folder,
  { parentId, beforeId }: { parentId: string | null; beforeId: string | null },
  folders: readonly Folder[],
): string {
  const parent = pathOf(folders, parentId).at(-1);
  const siblings = siblingsOf(folders, { ...folder, parent_id: parentId }).filter(({ id }) => id !== folder.id);
  const before = siblings.findIndex(({ id }) => id === beforeId);
  const position = before === -1 ? siblings.length + 1 : before + 1;
  return `“${folder.name}” is now ${parent ? `in “${parent.name}”, ` : ""}${position} of ${siblings.length + 1}.`;
}

/** The name of a folder's team, where folders of several workspaces are shown. */
function useTeamNames(): (folder: Folder) => string | null {
  const choice = useWorkspaceChoice();
  const teams = useOwnTeams();
  return ({ workspace }) =>
    choice?.id === "all" && workspace !== "personal" ? (teams.find(({ id }) => id === workspace)?.name ?? null) : null;
}
