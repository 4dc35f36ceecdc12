import { BadgeCheck, Ban, CircleDollarSign, Ellipsis, LogOut, ScrollText, Search, Trash2, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { listUsers } from "#shared/contracts/account/admin.ts";
import type { AdminUser } from "#shared/entities/admin-user.ts";
import { ADMIN_PAGE, ADMIN_QUERY_LENGTH } from "#shared/limits.ts";
import { Credits } from "#web/ui/credits.tsx";
import { call } from "#web/lib/api.ts";
import { fullTime } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { lastSeen, planLabel } from "./admin-labels.ts";
import { PagedList } from "./paged-list.tsx";
import { Section } from "./section.tsx";
import { useBalances, usePages } from "./use-admin.ts";
import { Badge } from "#web/ui/badge.tsx";
import { useNavigate } from "react-router";
import { useSession } from "#web/features/people/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { adminPath } from "./admin-view.ts";
import { type UserAction, UserActionDialog } from "./user-action-dialog.tsx";

/** The database is asked this long after the last key, in milliseconds. */
const PAUSE_MS = 200;

/** Users that stand above the audit log until more are asked for. */
const SHOWN = 8;

/** Everybody, and the search for somebody. */
export function UsersSection({ count, month }: { count: string | undefined; month: string }) {
  const [q, setQ] = useState("");
  const asked = usePaused(q.trim());
  const list = usePages(["users", asked], async (page, signal) => {
    const { users, nextCursor } = await call(listUsers, { query: { ...page, ...(asked !== "" && { q: asked }) } }, { signal });
    return { rows: users, nextCursor };
  });
  const [showsAll, setWhole] = useState(false);
  const isCut = !showsAll && asked === "" && list.rows.length > SHOWN;
  const shown = isCut ? { ...list, rows: list.rows.slice(0, SHOWN), hasMore: true, readMore: () => setWhole(true) } : list;
  return (
    <Section
      title="Users"
      count={count}
      aside={
        <div className="relative w-full desk:w-220">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-11 size-16 -translate-y-1/2 text-ink2" />
          <input
            type="search"
            aria-label="Search users"
            placeholder="Name, email or id"
            maxLength={ADMIN_QUERY_LENGTH}
            value={q}
            onChange={(event) => setQ(event.target.value)}
            className={cx(fieldClass, "h-32 pl-36! text-13 touch:h-44 touch:text-16")}
          />
        </div>
      }
    >
      <PagedList
        list={shown}
        what="The users"
        empty={asked === "" ? "Nobody has been here yet." : "Nobody is found by this beginning of a name or an address."}
      >
        {(users) => <Users users={users} month={month} />}
      </PagedList>
    </Section>
  );
}

/** The text as it stood when the keys last paused; emptied at once. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : paused;
}

const headClass = "border-b border-line-strong py-6 text-left text-12 font-normal text-ink2";

function Users({ users, month }: { users: AdminUser[]; month: string }) {
  const isMobile = useIsMobile();
  // As the pages came: a further one asks for its own balances alone.
  const pages = Array.from({ length: Math.ceil(users.length / ADMIN_PAGE) }, (_, n) => users.slice(n * ADMIN_PAGE, (n + 1) * ADMIN_PAGE));
  if (isMobile) {
    return (
      <ul aria-label="Users" className="mt-8">
        {pages.map((page, n) => (
          // By its place: who is opened in a list stays open as a search puts another first.
          // oxlint-disable-next-line react/no-array-index-key
          <UserPage key={n} users={page} month={month} isMobile />
        ))}
      </ul>
    );
  }
  return (
    <table aria-label="Users" className="w-full table-fixed border-collapse text-13">
      <thead>
        <tr>
          <th scope="col" className={headClass}>
            Person
          </th>
          <th scope="col" className={cx(headClass, "w-84")}>
            Plan
          </th>
          <th scope="col" className={cx(headClass, "w-96 text-right!")}>
            Credits
          </th>
          <th scope="col" className={cx(headClass, "w-96 text-right!")}>
            {month}
          </th>
          <th scope="col" className={cx(headClass, "w-96 text-right!")}>
            Last seen
          </th>
          <th scope="col" className={cx(headClass, "w-44")}>
            <span className="sr-only">Acts</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {pages.map((page, n) => (
          // oxlint-disable-next-line react/no-array-index-key
          <UserPage key={n} users={page} month={month} isMobile={false} />
        ))}
      </tbody>
    </table>
  );
}

type UserPageProps = { users: AdminUser[]; month: string; isMobile: boolean };

function UserPage({ users, month, isMobile }: UserPageProps) {
  const balances = useBalances(users.map(({ id }) => id));
  return users.map((user) =>
    isMobile ? (
      <UserCard key={user.id} user={user} balance={balances.get(user.id)} month={month} />
    ) : (
      <UserRow key={user.id} user={user} balance={balances.get(user.id)} />
    ),
  );
}

type Balance = { credits: number | null; spent: number } | undefined;

function UserRow({ user, balance }: { user: AdminUser; balance: Balance }) {
  return (
    <tr className="h-40 border-b border-line">
      <td className="min-w-0 pr-12">
        <div className="flex min-w-0 items-center gap-8">
          <Avatar name={user.display_name} image={user.profile_image} size={28} />
          <Who user={user} />
        </div>
      </td>
      <td>
        <UserPlan user={user} />
      </td>
      <td className="text-right">
        <Balance user={user} balance={balance} />
      </td>
      <td className="text-right">{balance && <Credits dollars={balance.spent} />}</td>
      <td className="text-right text-ink2">
        <time dateTime={user.last_seen_at} title={fullTime(user.last_seen_at)}>
          {lastSeen(user.last_seen_at)}
        </time>
      </td>
      <td className="text-right">
        <UserMenu user={user} />
      </td>
    </tr>
  );
}

function UserCard({ user, balance, month }: { user: AdminUser; balance: Balance; month: string }) {
  return (
    <li className="flex items-start gap-12 border-b border-line py-12">
      <Avatar name={user.display_name} image={user.profile_image} size={32} />
      <div className="min-w-0 flex-1 text-13">
        <Who user={user} isStacked />
        <div className="mt-6 flex flex-wrap items-center gap-x-12 gap-y-4 text-ink2">
          <UserPlan user={user} />
          <span>
            <span className="sr-only">Credits: </span>
            <Balance user={user} balance={balance} />
          </span>
          {balance !== undefined && balance.spent > 0 && (
            <span>
              <Credits dollars={balance.spent} /> in {month}
            </span>
          )}
          <time dateTime={user.last_seen_at}>{lastSeen(user.last_seen_at)}</time>
        </div>
      </div>
      <UserMenu user={user} />
    </li>
  );
}

function Who({
  user: { display_name: name, email, is_admin: isAdmin, anonymous, id },
  isStacked = false,
}: {
  user: AdminUser;
  isStacked?: boolean;
}) {
  const address = anonymous ? id.slice(0, 8) : email;
  return (
    <p className={cx("min-w-0 truncate text-ink2", isStacked && "leading-20")} title={`${name} ${email ?? id}`}>
      <span className={cx("font-medium text-ink", isStacked && "block truncate")}>{name}</span> {address}
      {isAdmin && ", administrator"}
    </p>
  );
}

function Balance({ user, balance }: { user: AdminUser; balance: Balance }) {
  if (user.anonymous) return <span className="text-ink2">House pays</span>;
  if (balance?.credits === undefined || balance.credits === null) return null;
  return <Credits dollars={balance.credits} className={balance.credits < 0 ? "text-danger" : "text-ink"} />;
}

/** What somebody is: blocked, a guest, or on which plan. */
function UserPlan({ user: { anonymous, blocked_at: blockedAt, plan } }: { user: AdminUser }) {
  if (blockedAt !== null) return <Badge tone="signal">Blocked</Badge>;
  if (anonymous) return <Badge>Guest</Badge>;
  if (plan === "none") return <span className="text-13 text-ink2">None</span>;
  return <Badge tone={plan === "team" ? "accent" : "neutral"}>{planLabel(plan)}</Badge>;
}

/** What an administrator may do about a person. */
function UserMenu({ user }: { user: AdminUser }) {
  const navigate = useNavigate();
  const { user: self } = useSession();
  /** The last action that was asked for; each is a dialog of its own. */
  const [asked, setAsked] = useState<{ action: UserAction; turn: number } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (action: UserAction) => {
    setAsked({ action, turn: (asked?.turn ?? 0) + 1 });
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
      {asked && <UserActionDialog key={asked.turn} action={asked.action} user={user} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
