import { type ComponentProps, type ReactElement, useEffect, useState } from "react";
import { Avatar } from "#web/ui/avatar.tsx";
import { Credits } from "#web/ui/credits.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu } from "#web/ui/menu/menu.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";

const Items = lazyPart(async () => (await import("./profile-menu-items.tsx")).default);
const AboutDialog = lazyPart(async () => (await import("#web/features/people/about/about-dialog.tsx")).default);
const FeedbackDialog = lazyPart(async () => (await import("#web/features/people/feedback/feedback-dialog.tsx")).default);
const SignOutDialog = lazyPart(async () => (await import("#web/features/conversation/sign-out/sign-out-dialog.tsx")).default);

type Layer = "about" | "feedback" | "sign-out";
type ProfileMenuProps = { trigger: ReactElement<ComponentProps<"button">>; side: "top" | "right" | "bottom"; inDrawer?: boolean };

/** The person's menu. In the drawer, what leads away takes the drawer's place. */
export function ProfileMenu({ trigger, side, inDrawer = false }: ProfileMenuProps) {
  const { user, status } = useSession();
  const [layer, setLayer] = useState<Layer | null>(null);
  const [used, setUsed] = useState<Partial<Record<Layer, boolean>>>({});
  useEffect(() => preloadAtFirstSign([Items]), []);
  const open = (name: Layer) => {
    setUsed((before) => ({ ...before, [name]: true }));
    setLayer(name);
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
              <div className="flex items-center gap-10">
                <Avatar name={user?.display_name ?? ""} image={user?.profile_image ?? null} size={32} />
                <div className="min-w-0">
                  <p className="truncate text-14 font-medium text-ink">{user?.display_name}</p>
                  <p className="truncate text-13 text-ink2">{user?.email}</p>
                </div>
              </div>
              {user && (
                <p className="mt-4 flex justify-between gap-8 text-13 text-ink2">
                  Credits
                  <span className="text-ink">
                    <Credits dollars={user.credits} />
                  </span>
                </p>
              )}
            </div>
          )
        }
      >
        <Items inDrawer={inDrawer} onOpen={open} />
      </Menu>
      {used.about && <AboutDialog open={layer === "about"} onOpenChange={(next) => setLayer(next ? "about" : null)} />}
      {used["sign-out"] && <SignOutDialog open={layer === "sign-out"} onOpenChange={(next) => setLayer(next ? "sign-out" : null)} />}
      {used.feedback && <FeedbackDialog open={layer === "feedback"} onOpenChange={(next) => setLayer(next ? "feedback" : null)} />}
    </>
  );
}
