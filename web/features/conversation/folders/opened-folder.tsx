import { ArrowLeft, Ellipsis, SquarePen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { setDrawerOpen, setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu } from "#web/ui/menu/menu.tsx";
import { renameFolder } from "./change-folders.ts";
import { FolderItems } from "./folder-items.tsx";
import { FolderNameField } from "./folder-name-field.tsx";
import { setLastViewedFolder, setNaming, useNaming } from "#web/features/conversation/list-state/folder-state.ts";
import { pathOf } from "#shared/folders/tree.ts";

type OpenedFolderProps = { id: string; folders: readonly Folder[]; isReady: boolean; inDrawer: boolean };

/** The heading of an opened folder: the way back, its name and place, a new chat in it, its menu. */
export function OpenedFolder({ id, folders, isReady, inDrawer }: OpenedFolderProps) {
  const navigate = useNavigate();
  const naming = useNaming();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const path = pathOf(folders, id);
  const folder = path.at(-1);
  const parent = path.at(-2);
  // The row that opened it is gone with the list that it stood in.
  const back = useRef<HTMLDivElement>(null);
  const hasFolder = folder !== undefined;
  useEffect(() => {
    if (!hasFolder) return undefined;
    if (document.activeElement === document.body) back.current?.querySelector("button")?.focus({ preventScroll: true });
    return () => setLastViewedFolder(id);
  }, [id, hasFolder]);
  // Deleted elsewhere, or of a workspace that is no longer shown.
  const isMissing = isReady && !folder;
  useEffect(() => {
    if (isMissing) setView("all");
  }, [isMissing]);
  if (!folder) return <div className={inDrawer ? "h-44" : "h-36"} />;
  const isRenaming = naming?.kind === "rename" && naming.id === id;
  return (
    <div
      ref={back}
      data-opened-folder={id}
      className={cx("flex items-center gap-4", inDrawer ? "h-56 px-8" : "h-44 pr-12 pl-12 touch:h-56")}
    >
      <IconButton
        size="sm"
        label={parent ? `Back to ${parent.name}` : "All chats"}
        icon={ArrowLeft}
        onClick={() => setView("all", parent && { folder: parent.id })}
      />
      {isRenaming ? (
        <FolderNameField
          name={folder.name}
          className="h-28 touch:h-44"
          onDone={(name) => {
            setNaming(null);
            if (name !== null) void renameFolder(id, name);
          }}
        />
      ) : (
        <div className="min-w-0 flex-1 px-2">
          {path.length > 1 && (
            <p className="truncate text-12 text-ink3" title={path.map(({ name }) => name).join(" / ")}>
              {path
                .slice(0, -1)
                .map(({ name }) => name)
                .join(" / ")}
            </p>
          )}
          <h2 className={cx("truncate font-medium text-ink", inDrawer ? "text-15/20" : "text-14")}>{folder.name}</h2>
        </div>
      )}
      <IconButton
        size="sm"
        label={`New chat in ${folder.name}`}
        icon={SquarePen}
        onClick={() => {
          setDrawerOpen(false);
          void navigate("/");
        }}
      />
      <Menu
        open={isMenuOpen}
        onOpenChange={setMenuOpen}
        trigger={<IconButton size="sm" label={`Actions for ${folder.name}`} icon={Ellipsis} tooltip={false} />}
      >
        <FolderItems folder={folder} />
      </Menu>
    </div>
  );
}
