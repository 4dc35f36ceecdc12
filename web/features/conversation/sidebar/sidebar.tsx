import { useHotkey } from "#web/lib/hotkeys.ts";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { SidebarPanel } from "./sidebar-panel.tsx";
import { SidebarRail } from "./sidebar-rail.tsx";
import { setCollapsed, setDrawerOpen, useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";

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
