import { PanelLeft, SquarePen } from "lucide-react";
import { useMatch } from "react-router";
import { ProfileFooter } from "#web/features/profile/profile-footer.tsx";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Tooltip } from "#web/ui/tooltip.tsx";
import { setCollapsed } from "./sidebar-state.ts";

/** The collapsed sidebar: what it offers, as icons. */
export function SidebarRail() {
  const atHome = useMatch("/") !== null;
  return (
    <>
      <div className="flex h-52 shrink-0 items-center justify-center">
        <IconButton label="Expand sidebar" icon={PanelLeft} shortcut={hotkeyText("toggleSidebar")} onClick={() => setCollapsed(false)} />
      </div>
      <div className="flex flex-1 flex-col items-center gap-4">
        <Tooltip label="New Chat">
          <Link
            to="/"
            aria-label="New Chat"
            aria-current={atHome ? "page" : undefined}
            className="inline-flex size-36 items-center justify-center rounded-8 text-ink2 hover:bg-s3 hover:text-ink aria-[current=page]:bg-s4 touch:size-44"
          >
            <SquarePen aria-hidden className="size-16 touch:size-20" />
          </Link>
        </Tooltip>
      </div>
      <ProfileFooter rail />
    </>
  );
}
