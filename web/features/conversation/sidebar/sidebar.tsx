import { FilePlus, PanelLeft, Search, SquarePen } from "lucide-react";
import { useId } from "react";
import { useMatch } from "react-router";
import { UNREAD_BADGE_COLLAPSED } from "#shared/limits.ts";
import { useHotkey, hotkeyText } from "#web/lib/hotkeys.ts";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { SidebarPanel } from "./sidebar-panel.tsx";
import { setCollapsed, setDrawerOpen, useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import { APPROVALS_PATH } from "#web/features/conversation/approvals/approvals-path.ts";
import { useWaitingCount } from "#web/features/conversation/approvals/waiting-count.ts";
import { useArtifactWays } from "#web/features/library/artifacts/artifacts-on.ts";
import { useNewArtifact } from "#web/features/library/artifacts/use-new-artifact.ts";
import { ProfileFooter } from "#web/features/conversation/profile-menu/profile-footer.tsx";
import { openSearch } from "#web/features/conversation/search/search-store.ts";
import { LateSwitcher } from "#web/features/conversation/workspaces/late-switcher.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";

/** The way between chats: a column of 288 px, a rail of 56, or an edge drawer on phones. */
export function Sidebar() {
  const isMobile = useIsMobile();
  const { collapsed, drawerOpen } = useSidebarState();
  useHotkey("toggleSidebar", () => (isMobile ? setDrawerOpen(!drawerOpen) : setCollapsed(!collapsed)));
  if (isMobile) {
    return (
      <Drawer open={drawerOpen} onOpenChange={setDrawerOpen} side="left" title="Chats" hideTitle>
        <nav aria-label="Chats" className="flex min-h-0 flex-1 flex-col">
          <ErrorBoundary what="The sidebar">
            <SidebarPanel inDrawer />
          </ErrorBoundary>
        </nav>
      </Drawer>
    );
  }
  return (
    <nav
      aria-label="Chats"
      className={collapsed ? "flex h-full w-56 shrink-0 flex-col bg-s1" : "flex h-full w-288 shrink-0 flex-col bg-s1"}
    >
      <ErrorBoundary what="The sidebar">{collapsed ? <SidebarRail /> : <SidebarPanel />}</ErrorBoundary>
    </nav>
  );
}

/** The collapsed sidebar: what it offers, as icons. */
function SidebarRail() {
  const atHome = useMatch("/") !== null;
  const unread = useUnreadCount();
  const waiting = useWaitingCount();
  const isWaitingOpen = useMatch(APPROVALS_PATH) !== null;
  const badge = useId();
  const hasArtifacts = useArtifactWays();
  const newArtifact = useNewArtifact();
  return (
    <>
      <div className="relative flex h-52 shrink-0 items-center justify-center">
        <IconButton
          label="Expand sidebar"
          icon={PanelLeft}
          shortcut={hotkeyText("toggleSidebar")}
          aria-describedby={unread > 0 ? badge : undefined}
          onClick={() => setCollapsed(false)}
        />
        {unread > 0 && (
          <span
            id={badge}
            className="pointer-events-none absolute top-6 left-30 rounded-full bg-signal-soft px-5 text-12/16 font-medium text-signal-ink tabular-nums ring-2 ring-s1"
          >
            {unread > UNREAD_BADGE_COLLAPSED ? `${UNREAD_BADGE_COLLAPSED}+` : unread}
            <span className="sr-only"> unread</span>
          </span>
        )}
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
        {hasArtifacts && <IconButton label="New Artifact" icon={FilePlus} className="size-36! touch:size-44!" onClick={newArtifact} />}
        {waiting > 0 && (
          <Tooltip label="Waiting for you">
            <Link
              to={APPROVALS_PATH}
              aria-label={`Waiting for you, ${waiting}`}
              aria-current={isWaitingOpen ? "page" : undefined}
              className="inline-flex size-36 items-center justify-center rounded-8 text-13 font-semibold text-signal-ink tabular-nums hover:bg-s3 aria-[current=page]:bg-s4 touch:size-44"
            >
              {waiting}
            </Link>
          </Tooltip>
        )}
        <IconButton label="Search" icon={Search} shortcut={hotkeyText("search")} className="size-36! touch:size-44!" onClick={openSearch} />
      </div>
      <LateSwitcher rail />
      <ProfileFooter rail />
    </>
  );
}
