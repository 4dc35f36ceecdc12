import { Menu as MenuIcon, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { Credits } from "#web/features/credits/credits.tsx";
import { LoginLink } from "#web/features/session/login-link.tsx";
import { AvatarButton } from "#web/features/profile/avatar-button.tsx";
import { ProfileMenu } from "#web/features/profile/profile-menu.tsx";
import { useSession } from "#web/features/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { setDrawerOpen, useSidebarState } from "./sidebar-state.ts";
import { useUnreadCount } from "#web/features/chat-list/use-chats.ts";

type PaneHeaderProps = {
  /** The title; absent at home. */
  children?: ReactNode;
  /** What stands at the right, before Login. */
  actions?: ReactNode;
  /** Offers a new chat on phones, where the sidebar is out of sight. */
  newChat?: boolean;
};

/** The 52 px bar above every pane: the way to the chats on phones, the pane's title and actions, Login for who has no name yet. */
export function PaneHeader({ children, actions, newChat = false }: PaneHeaderProps) {
  const isMobile = useIsMobile();
  const { user, status, isUnknown } = useSession();
  const { drawerOpen } = useSidebarState();
  const unread = useUnreadCount();
  return (
    <header data-print="hide" className="flex shrink-0 items-center gap-4 px-4 pt-(--safe-top) desk:px-16 desk:pl-24">
      <div className="flex h-52 min-w-0 flex-1 items-center gap-4">
        {isMobile && (
          <span className="relative shrink-0">
            <IconButton
              size="touch"
              label="Open sidebar"
              icon={MenuIcon}
              tooltip={false}
              aria-expanded={drawerOpen}
              onClick={() => setDrawerOpen(true)}
            />
            {unread > 0 && (
              <span aria-hidden className="pointer-events-none absolute top-9 right-8 size-8 rounded-full border border-bg bg-signal" />
            )}
          </span>
        )}
        <div className="flex min-w-0 flex-1 items-center">{children}</div>
        {isMobile && newChat && (
          <Tooltip label="New Chat">
            <Link to="/" aria-label="New Chat" className="inline-flex size-44 items-center justify-center rounded-8 text-ink2">
              <SquarePen aria-hidden className="size-16 touch:size-20" />
            </Link>
          </Tooltip>
        )}
        {actions}
        {isMobile && !newChat && status === "user" && user && (
          <>
            <span className="text-13 text-ink">
              <span className="sr-only">Credits: </span>
              <Credits dollars={user.credits} />
            </span>
            {/* A drawer whose code has yet to come would come over the menu. */}
            <ProfileMenu
              side="bottom"
              trigger={<AvatarButton name={user.display_name} image={user.profile_image} onClick={() => setDrawerOpen(false)} />}
            />
          </>
        )}
        {(status === "visitor" || status === "guest") && !isUnknown && <LoginLink />}
      </div>
    </header>
  );
}
