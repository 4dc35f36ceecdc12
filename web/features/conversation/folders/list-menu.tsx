import { Ellipsis, FolderPlus, Tag, Tags } from "lucide-react";
import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";
import { setNaming } from "#web/features/conversation/list-state/folder-state.ts";
import { TagFilter } from "#web/features/conversation/tags/tag-filter.tsx";
import type { TagsDialogProps } from "#web/features/conversation/tags/tags-dialog.tsx";

const TagsDialog = lazyPart<TagsDialogProps>(async () => (await import("#web/features/conversation/tags/tags-dialog.tsx")).TagsDialog);

/** What can be done with the list of all chats: a new folder, a filter by tag. Guests have neither. */
export function ListMenu({ inDrawer }: { inDrawer: boolean }) {
  const { isGuest } = useSession();
  const [isFiltering, setFiltering] = useState(false);
  const [tags, setTags] = useState<"unused" | "open" | "closed">("unused");
  const [button, setButton] = useState<HTMLElement | null>(null);
  if (isGuest) return null;
  return (
    <span className="contents">
      <Menu
        side={inDrawer ? "bottom" : "right"}
        align="start"
        trigger={
          <IconButton
            size="sm"
            label="List options"
            icon={Ellipsis}
            tooltip={false}
            className="touch:-mr-8"
            onClick={({ currentTarget }) => setButton(currentTarget)}
          />
        }
      >
        <MenuItem icon={FolderPlus} onClick={() => setNaming({ kind: "new", parentId: null })}>
          New folder
        </MenuItem>
        <MenuItem icon={Tag} onClick={() => setFiltering(true)}>
          Filter by tag…
        </MenuItem>
        <MenuItem icon={Tags} onClick={() => setTags("open")}>
          Manage tags…
        </MenuItem>
      </Menu>
      {isFiltering && button && (
        <TagFilter anchor={button} onPick={(id) => setView("all", { tag: id })} onClose={() => setFiltering(false)} />
      )}
      {tags !== "unused" && <TagsDialog open={tags === "open"} onOpenChange={(open) => setTags(open ? "open" : "closed")} />}
    </span>
  );
}
