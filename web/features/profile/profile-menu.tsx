import { Info, LogIn, LogOut, MessageSquareText, Newspaper, Settings } from "lucide-react";
import { type ComponentProps, type ReactElement, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { leave } from "#web/features/session/enter-and-leave.ts";
import { loginUrl } from "#web/features/session/login-url.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useSettings } from "#web/features/settings/use-settings.ts";
import { setDrawerOpen } from "#web/features/sidebar/sidebar-state.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "#web/ui/menu.tsx";
import { toast } from "#web/ui/toast.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const AboutDialog = lazyPart(async () => (await import("#web/features/about/about-dialog.tsx")).default);
const FeedbackDialog = lazyPart(async () => (await import("#web/features/feedback/feedback-dialog.tsx")).default);

type ProfileMenuProps = { trigger: ReactElement<ComponentProps<"button">>; side: "top" | "right" | "bottom"; inDrawer?: boolean };

/** The person's menu. In the drawer, what leads away takes the drawer's place. */
export function ProfileMenu({ trigger, side, inDrawer = false }: ProfileMenuProps) {
  const { user, features, status } = useSession();
  const [layer, setLayer] = useState<"about" | "feedback" | null>(null);
  const [used, setUsed] = useState<{ about: boolean; feedback: boolean }>({ about: false, feedback: false });
  const settings = useSettings();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const open = (name: "about" | "feedback") => {
    setUsed((before) => ({ ...before, [name]: true }));
    setLayer(name);
  };
  const follow = (path: string) => {
    setDrawerOpen(false);
    void navigate(path, { replace: inDrawer });
  };
  const signOut = () => {
    leave({ everywhere: false, goHome: () => follow("/") }).catch((error: Error) =>
      toast({ tone: "danger", title: "Failed to sign out", description: error.message }),
    );
  };
  return (
    <>
      <Menu
        trigger={trigger}
        label="Profile"
        side={side}
        align={side === "right" ? "end" : "start"}
        className="w-264"
        header={
          status === "user" && (
            <div className="mb-6 border-b border-line px-10 pt-4 pb-10">
              <p className="truncate text-14 font-medium text-ink">{user?.display_name}</p>
              <p className="truncate text-13 text-ink2">{user?.email}</p>
            </div>
          )
        }
      >
        {status !== "user" && (
          <MenuItem icon={LogIn} onClick={() => follow(loginUrl(pathname + search))}>
            Login
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
        <MenuItem icon={Info} onClick={() => open("about")}>
          About
        </MenuItem>
        {features?.feedback && (
          <MenuItem icon={MessageSquareText} onClick={() => open("feedback")}>
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
      </Menu>
      {used.about && <AboutDialog open={layer === "about"} onOpenChange={(next) => setLayer(next ? "about" : null)} />}
      {used.feedback && <FeedbackDialog open={layer === "feedback"} onOpenChange={(next) => setLayer(next ? "feedback" : null)} />}
    </>
  );
}
