import { Menu as MenuIcon, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { Credits } from "#web/ui/credits.tsx";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { AvatarButton } from "#web/features/conversation/profile-menu/avatar-button.tsx";
import { ProfileMenu } from "#web/features/conversation/profile-menu/profile-menu.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { setDrawerOpen, useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import { useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";

/** What every pane's header begins and ends with: the way to the chats on phones, there the person too, Login for who has no name yet. */
export const PANE_ENDS = { start: <DrawerButton />, end: <PersonAndLogin /> };

/** A chat's header: on phones, where the sidebar is out of sight, it offers a new chat in the person's place. */
export function ChatPaneHeader({ children, actions }: { children?: ReactNode; actions?: ReactNode }) {
  return (
    <PaneHeader
      actions={
        <>
          <NewChatLink />
          {actions}
        </>
      }
      end={<Login />}
    >
      {children}
    </PaneHeader>
  );
}

function DrawerButton() {
  const isMobile = useIsMobile();
  const { drawerOpen } = useSidebarState();
  const unread = useUnreadCount();
  if (!isMobile) return null;
  return (
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
  );
}

function NewChatLink() {
  if (!useIsMobile()) return null;
  return (
    <Tooltip label="New Chat">
      <Link to="/" aria-label="New Chat" className="inline-flex size-44 items-center justify-center rounded-8 text-ink2">
        <SquarePen aria-hidden className="size-16 touch:size-20" />
      </Link>
    </Tooltip>
  );
}

function PersonAndLogin() {
  const isMobile = useIsMobile();
  const { user, status } = useSession();
  if (!isMobile || status !== "user" || !user) return <Login />;
  return (
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
  );
}

function Login() {
  const { status, isUnknown } = useSession();
  return (status === "visitor" || status === "guest") && !isUnknown && <LoginLink />;
}
