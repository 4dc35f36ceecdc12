import { ChevronsUpDown, Ellipsis, TicketPlus } from "lucide-react";
import { useNavigate, useLocation } from "react-router";
import type { User } from "#shared/entities/user.ts";
import { AboutButton } from "#web/features/people/about/about-button.tsx";
import { Credits } from "#web/ui/credits.tsx";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { setDrawerOpen } from "#web/features/conversation/list-state/sidebar-state.ts";
import { LateSwitcher } from "#web/features/conversation/workspaces/late-switcher.tsx";
import { useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { openInvites } from "#web/features/people/invites/invites-store.ts";
import { AvatarButton } from "./avatar-button.tsx";
import { ProfileMenu } from "./profile-menu.tsx";

type ProfileFooterProps = { inDrawer?: boolean; rail?: boolean };

/** The sidebar's foot: the person and their menu, or the way to become one. */
export function ProfileFooter({ inDrawer = false, rail = false }: ProfileFooterProps) {
  const { user, status, isUnknown } = useSession();
  const box = cx(
    "flex shrink-0 items-center border-t border-line",
    rail ? "h-60 justify-center" : "h-60 px-12",
    inDrawer && "mb-(--safe-bottom)",
  );
  if (status === "loading") {
    return (
      <div className={box}>
        <Skeleton className="mx-8 size-28 rounded-full" />
        {!rail && <Skeleton className="h-10 w-96" />}
      </div>
    );
  }
  if (user === null || status !== "user") {
    return (
      <div className={cx(box, "gap-8")}>
        {rail ? (
          <ProfileMenu trigger={isUnknown ? MORE : <AvatarButton name="Guest" />} side="right" />
        ) : (
          <GuestFooter inDrawer={inDrawer} />
        )}
      </div>
    );
  }
  if (rail) {
    return (
      <>
        <InvitesButton className="mb-4 size-36! shrink-0 self-center touch:size-44!" />
        <div className={box}>
          <ProfileMenu trigger={<AvatarButton name={user.display_name} image={user.profile_image} />} side="right" />
        </div>
      </>
    );
  }
  return (
    <div className={cx(box, "gap-4")}>
      <ProfileMenu trigger={<ProfileButton user={user} />} side="top" inDrawer={inDrawer} />
      {/* Before what always ends the row: until teams are known, an arrow of the profile stands in its place. */}
      <LateSwitcher inDrawer={inDrawer} />
      {!inDrawer && <InvitesButton className="shrink-0" />}
    </div>
  );
}

const MORE = <IconButton label="More" icon={Ellipsis} tooltip={false} />;

/** Over the drawer the header's Login is out of reach; beside it one is enough. */
function GuestFooter({ inDrawer }: { inDrawer: boolean }) {
  const { isUnknown } = useSession();
  return (
    <>
      {isUnknown ? (
        <span className="min-w-0 flex-1 truncate px-8 text-13 text-ink2">Not known who is here</span>
      ) : inDrawer ? (
        <DrawerLogin />
      ) : (
        <span className="flex min-w-0 flex-1 items-center gap-8 px-8">
          <Avatar name="Guest" />
          <span className="truncate text-13 font-medium text-ink">Guest</span>
        </span>
      )}
      <AboutButton className="h-36 px-12 text-13 font-medium text-ink2 hover:bg-s3 hover:text-ink touch:h-44" />
      <ProfileMenu trigger={MORE} side="top" inDrawer={inDrawer} />
    </>
  );
}

function DrawerLogin() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <Button
      variant="primary"
      className="flex-1"
      onClick={() => {
        setDrawerOpen(false);
        void navigate(loginUrl(pathname + search), { replace: true });
      }}
    >
      Login
    </Button>
  );
}

type ButtonProps = React.ComponentProps<"button">;

function ProfileButton({ user, ...rest }: ButtonProps & { user: User }) {
  const hasSwitcher = useWorkspaceChoice() !== null;
  return (
    <button
      type="button"
      className="flex h-44 min-w-0 flex-1 items-center gap-8 rounded-8 px-8 text-left transition-colors duration-120 hover:bg-s3 aria-expanded:bg-s3"
      {...rest}
    >
      <Avatar name={user.display_name} image={user.profile_image} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13/18 font-medium text-ink">
          <span className="sr-only">Profile: </span>
          {user.display_name}
        </span>
        <span className="block truncate text-12/16 text-ink">
          <span className="sr-only">Credits: </span>
          <Credits dollars={user.credits} />
        </span>
      </span>
      {/* Beside the switcher's it would be one too many. */}
      {!hasSwitcher && <ChevronsUpDown aria-hidden className="size-16 text-ink2" />}
    </button>
  );
}

/** Opens the invites from the sidebar; on phones the person's menu does. */
function InvitesButton({ className }: { className?: string }) {
  return <IconButton label="Invites" icon={TicketPlus} className={className} onClick={openInvites} />;
}
