import { Clock, Gauge, Info, LogIn, LogOut, Mail, MessageCircle, MessageSquareText, Newspaper, Settings, TicketPlus } from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import { unsentAtSignOut } from "#web/features/conversation/sign-out/lost-at-sign-out.ts";
import { openInvites } from "#web/features/people/invites/invites-store.ts";
import { SCHEDULES_PATH } from "#web/features/conversation/schedules/schedules-path.ts";
import { leave } from "#web/features/people/session/enter-and-leave.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { setDrawerOpen } from "#web/features/conversation/list-state/sidebar-state.ts";
import { useSetupAddress } from "#web/features/people/settings/use-setup-address.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { MenuItem, MenuLink, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";

type ProfileMenuItemsProps = { inDrawer: boolean; onOpen: (layer: "about" | "feedback" | "sign-out") => void };

/** What the person's menu offers. */
export default function ProfileMenuItems({ inDrawer, onOpen }: ProfileMenuItemsProps) {
  const { features, status, isUnknown, user } = useSession();
  const settings = useSettings();
  const setup = useSetupAddress();
  const isMobile = useIsMobile();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const follow = (path: string) => {
    setDrawerOpen(false);
    void navigate(path, { replace: inDrawer });
  };
  const signOut = () => {
    if (unsentAtSignOut() !== null) return onOpen("sign-out");
    setDrawerOpen(false);
    leave({ everywhere: false }).catch((error: Error) =>
      toast({ tone: "danger", title: "Failed to sign out", description: error.message }),
    );
  };
  return (
    <>
      {status !== "user" && !isUnknown && (
        <MenuItem icon={LogIn} onClick={() => follow(loginUrl(pathname + search))}>
          Login
        </MenuItem>
      )}
      {status === "user" && (
        <MenuItem
          icon={Mail}
          onClick={() => {
            setDrawerOpen(false);
            settings.open("emails", { replace: inDrawer });
          }}
        >
          Email setup
        </MenuItem>
      )}
      {status === "user" && (
        <MenuItem icon={Clock} onClick={() => follow(SCHEDULES_PATH)}>
          Schedules
        </MenuItem>
      )}
      {status === "user" && features?.whatsapp && (
        <MenuItem
          icon={MessageCircle}
          onClick={() => {
            setDrawerOpen(false);
            setup.open({ replace: inDrawer });
          }}
        >
          WhatsApp setup
        </MenuItem>
      )}
      {status === "user" && isMobile && (
        <MenuItem
          icon={TicketPlus}
          onClick={() => {
            setDrawerOpen(false);
            openInvites();
          }}
        >
          Invites
        </MenuItem>
      )}
      <MenuItem
        icon={Settings}
        shortcut={hotkeyText("openSettings")}
        onClick={() => {
          setDrawerOpen(false);
          settings.open(status === "user" ? "general" : "appearance", { replace: inDrawer });
        }}
      >
        Settings
      </MenuItem>
      {user?.is_admin && (
        <MenuLink
          icon={Gauge}
          href="/admin"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            follow("/admin");
          }}
        >
          Administration
        </MenuLink>
      )}
      <MenuLink
        icon={Newspaper}
        href="/changelog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          follow("/changelog");
        }}
      >
        Changelog
      </MenuLink>
      <MenuItem icon={Info} onClick={() => onOpen("about")}>
        About
      </MenuItem>
      {(features !== null || isUnknown) && (
        <MenuItem icon={MessageSquareText} onClick={() => onOpen("feedback")}>
          Send feedback
        </MenuItem>
      )}
      {status === "user" && (
        <>
          <MenuSeparator />
          <MenuItem icon={LogOut} onClick={signOut}>
            Sign out
          </MenuItem>
        </>
      )}
    </>
  );
}
