import { ChevronsUpDown } from "lucide-react";
import { useEffect } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu } from "#web/ui/menu/menu.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { WorkspaceTile as Tile } from "./workspace-tile.tsx";

const Items = lazyPart(async () => (await import("./workspace-items.tsx")).default);

export type WorkspaceSwitcherProps = { inDrawer?: boolean; rail?: boolean };

/** The workspace whose chats are listed, and the way to another; nothing for who is in no team. */
export function WorkspaceSwitcher({ inDrawer = false, rail = false }: WorkspaceSwitcherProps) {
  const choice = useWorkspaceChoice();
  const { user } = useSession();
  const isThere = choice !== null;
  useEffect(() => (isThere ? preloadAtFirstSign([Items]) : undefined), [isThere]);
  if (!choice || !user) return null;
  const trigger = rail ? (
    <button
      type="button"
      aria-label={`Workspace: ${choice.name}`}
      title={choice.name}
      className="mb-8 inline-flex size-36 shrink-0 items-center justify-center self-center rounded-8 hover:bg-s3 aria-expanded:bg-s3 touch:size-44"
    >
      <Tile id={choice.id} name={choice.name} user={user} />
    </button>
  ) : (
    <button
      type="button"
      className={cx(
        "flex min-w-0 shrink-0 items-center gap-4 rounded-8 pr-6 pl-8 text-ink transition-colors duration-120 hover:bg-s3 aria-expanded:bg-s3",
        inDrawer ? "h-44 max-w-144 text-14" : "h-34 max-w-136 text-13 touch:h-44",
      )}
    >
      <span className="min-w-0 truncate">
        <span className="sr-only">Workspace: </span>
        {choice.name}
      </span>
      <ChevronsUpDown aria-hidden className="size-16 shrink-0 text-ink2" />
    </button>
  );
  return (
    <Menu trigger={trigger} label="Workspace" side={rail ? "right" : "top"} align="end" sideOffset={rail ? 6 : 20} className="w-264">
      <Items inDrawer={inDrawer} user={user} />
    </Menu>
  );
}
