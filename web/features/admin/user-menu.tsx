import { Ban, BadgeCheck, CircleDollarSign, Ellipsis, LogOut, ScrollText, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { AdminUser } from "#shared/entities/admin-user.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { adminPath } from "./admin-view.ts";
import { type UserAct, UserActDialog } from "./user-act-dialog.tsx";

/** What an administrator may do about a person. */
export function UserMenu({ user }: { user: AdminUser }) {
  const navigate = useNavigate();
  const { user: self } = useSession();
  /** The last act that was asked for; each is a dialog of its own. */
  const [asked, setAsked] = useState<{ act: UserAct; turn: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (act: UserAct) => {
    setAsked({ act, turn: (asked?.turn ?? 0) + 1 });
    setOpen(true);
  };
  const isSelf = self?.id === user.id;
  return (
    <>
      <Menu
        label={`Acts on ${user.display_name}`}
        trigger={<IconButton icon={Ellipsis} label={`Acts on ${user.email ?? user.display_name}`} tooltip={false} />}
      >
        {!user.anonymous && (
          <>
            <MenuItem icon={BadgeCheck} onClick={() => open("plan")}>
              Change plan
            </MenuItem>
            <MenuItem icon={CircleDollarSign} onClick={() => open("credits")}>
              Give credits
            </MenuItem>
            <MenuItem icon={LogOut} onClick={() => open("signOut")}>
              Sign out everywhere
            </MenuItem>
          </>
        )}
        <MenuItem icon={ScrollText} onClick={() => void navigate(adminPath("audit", user.id))}>
          Audit log
        </MenuItem>
        {!user.anonymous && !isSelf && (
          <>
            <MenuSeparator />
            {user.blocked_at === null ? (
              <MenuItem icon={Ban} danger onClick={() => open("block")}>
                Block
              </MenuItem>
            ) : (
              <MenuItem icon={Undo2} onClick={() => open("unblock")}>
                Unblock
              </MenuItem>
            )}
            <MenuItem icon={Trash2} danger onClick={() => open("delete")}>
              Delete account
            </MenuItem>
          </>
        )}
      </Menu>
      {asked && <UserActDialog key={asked.turn} act={asked.act} user={user} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
