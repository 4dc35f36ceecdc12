import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Team, TeamInvitation } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { Button } from "#web/ui/button.tsx";
import { focusAfter } from "#web/ui/focus.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { MemberList } from "./member-list.tsx";
import { TeamHeading } from "./team-heading.tsx";
import { useCancelInvitation, useDeleteTeam, useInvitations, useInvite, useLeaveTeam, useMembers, useUpdateTeam } from "./use-teams.ts";
import { Switch } from "#web/ui/switch.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { invitationUrl, pendingLabel } from "./team-labels.ts";
import { counted } from "#web/lib/format.ts";
import { Check, Link, Mail, X } from "lucide-react";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";
import { copyText } from "#web/lib/copy-text.ts";

type TeamEndingProps = { team: Team; user: User; onTeamRemoved: () => void };

/** The end of a team for its creator, and of being in it for everybody else. */
function TeamEnding({ team, user, onTeamRemoved }: TeamEndingProps) {
  return (
    <div className="mt-auto shrink-0">
      <section aria-labelledby="team-ending" className="mt-16 flex flex-wrap items-center gap-x-16 gap-y-8 border-t border-line pt-16">
        {team.created_by === user.id ? (
          <Deleting team={team} onTeamRemoved={onTeamRemoved} />
        ) : (
          <Leaving team={team} userId={user.id} onTeamRemoved={onTeamRemoved} />
        )}
      </section>
    </div>
  );
}

const dangerClass = "bg-danger-soft! text-danger! hover:bg-[color-mix(in_oklab,var(--color-danger-soft),var(--color-danger)_10%)]!";

function Deleting({ team, onTeamRemoved }: { team: Team; onTeamRemoved: () => void }) {
  const remove = useDeleteTeam(team.id);
  const shares = team.memberCount === 1 ? "its only member" : `all ${counted(team.memberCount, "member")}`;
  const onDelete = () => {
    if (!window.confirm(`Delete ${team.name}? Its shares end for ${shares}, and this cannot be undone.`)) return;
    remove.mutate(undefined, { onSuccess: onTeamRemoved });
  };
  return (
    <>
      <Explanation title="Danger Zone">{`Deleting the team removes its shares for ${shares}.`}</Explanation>
      <Button className={dangerClass} busy={remove.isPending} onClick={onDelete}>
        Delete team
      </Button>
    </>
  );
}

function Leaving({ team, userId, onTeamRemoved }: { team: Team; userId: string; onTeamRemoved: () => void }) {
  const leave = useLeaveTeam(team, userId);
  const onLeave = () => {
    if (!window.confirm(`Leave ${team.name}? Only an admin can invite you again.`)) return;
    leave.mutate(undefined, { onSuccess: onTeamRemoved });
  };
  return (
    <>
      <Explanation title="Leave team">What the team shares is out of your reach then; what you own stays yours.</Explanation>
      <Button busy={leave.isPending} onClick={onLeave}>
        Leave team
      </Button>
    </>
  );
}

function Explanation({ title, children }: { title: string; children: string }) {
  return (
    <div className="min-w-160 flex-1">
      <h4 id="team-ending" className="text-13 font-medium text-ink">
        {title}
      </h4>
      <p className="mt-2 text-13 text-ink2">{children}</p>
    </div>
  );
}

/** What a team spends, which is known where its chats are. */
export type TeamUsage = {
  Own: ComponentType<{ teamId: string }>;
  Pane: ComponentType<{ team: Team; onBack: () => void }>;
};

type TeamPaneProps = {
  team: Team;
  user: User;
  /** To the list, where that is not beside it; a pane in its place has its own way back to the team. */
  wayBack: ReactNode;
  onTeamRemoved: () => void;
  usage: TeamUsage;
};

/** One team: what it is, who is in it, and for its admins what they decide. */
export function TeamPane({ team, user, wayBack, onTeamRemoved, usage }: TeamPaneProps) {
  const isAdmin = team.user_role === "admin";
  const mayLook = isAdmin || !team.members_restricted;
  const members = useMembers(team.id, mayLook);
  const invitations = useInvitations(team.id, isAdmin);
  // Together, so nothing moves as the second of them arrives.
  const isReady = members.data !== undefined && (!isAdmin || invitations.data !== undefined);
  const failure = (mayLook && members.error) || (isAdmin && invitations.error) || null;
  const [isUsage, setUsage] = useState(false);
  if (isUsage && isAdmin) return <usage.Pane team={team} onBack={() => focusAfter(() => setUsage(false), "#team-usage")} />;
  return (
    <TeamHeading team={team} user={user} members={members.data?.members ?? []} wayBack={wayBack}>
      <section aria-label="Usage" className="mt-8 flex flex-wrap items-center gap-x-16 gap-y-8">
        <div className="min-w-160 flex-1">
          <usage.Own teamId={team.id} />
        </div>
        {isAdmin && (
          <Button id="team-usage" size="sm" onClick={() => setUsage(true)}>
            Usage and budgets
          </Button>
        )}
      </section>
      {isAdmin && <InviteForm teamId={team.id} />}
      {!mayLook ? (
        <p className="mt-24 rounded-8 bg-s3 px-12 py-10 text-14 text-ink2">
          Member information is restricted — Only administrators can view team members for this team
        </p>
      ) : isReady ? (
        <>
          <MemberList team={team} user={user} members={members.data?.members ?? []} />
          {isAdmin && <PendingInvitations invitations={invitations.data?.invitations ?? []} user={user} />}
        </>
      ) : failure ? (
        <div role="alert" className="mt-24 flex flex-wrap items-center gap-12 text-14 text-ink2">
          <p className="min-w-0 flex-1">Who is in the team could not be loaded. {failure.message}</p>
          <TryAgain onClick={() => void Promise.all([members.refetch(), isAdmin && invitations.refetch()])} />
        </div>
      ) : (
        <MemberSkeletons count={Math.min(team.memberCount, 4)} />
      )}
      {isAdmin && <TeamRules team={team} />}
      <TeamEnding team={team} user={user} onTeamRemoved={onTeamRemoved} />
    </TeamHeading>
  );
}

function MemberSkeletons({ count }: { count: number }) {
  return (
    <div aria-busy className="mt-24">
      <h4 className="flex h-28 items-center text-13 font-medium text-ink">Members</h4>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex h-52 items-center gap-12">
          <Skeleton className="size-32 rounded-full" />
          <span className="space-y-6">
            <Skeleton className="h-12 w-120" />
            <Skeleton className="h-10 w-160" />
          </span>
        </div>
      ))}
    </div>
  );
}

/** What a team's admins keep to themselves. */
function TeamRules({ team }: { team: Team }) {
  return (
    <section aria-label="Rules" className="mt-24 border-t border-line pt-12">
      <Rule team={team} rule="members_restricted" label="Restricted members">
        Only admins see who is in the team.
      </Rule>
      <Rule team={team} rule="content_admin_only" label="Content by admins only">
        Members use what the team shares; admins alone create, edit and share it.
      </Rule>
    </section>
  );
}

type RuleProps = { team: Team; rule: "members_restricted" | "content_admin_only"; label: string; children: string };

function Rule({ team, rule, label, children }: RuleProps) {
  const note = useId();
  const update = useUpdateTeam(team.id);
  const isOn = (update.isPending ? update.variables[rule] : undefined) ?? team[rule];
  return (
    <div className="flex min-h-52 items-center gap-16 py-4">
      <div className="min-w-0 flex-1">
        <p aria-hidden className="text-14 text-ink">
          {label}
        </p>
        <p id={note} className="text-12 text-ink2">
          {children}
        </p>
      </div>
      <Switch
        label={label}
        aria-describedby={note}
        checked={isOn}
        onChange={(event) => !update.isPending && update.mutate({ [rule]: event.target.checked })}
      />
    </div>
  );
}

/** Invites an address to a team by mail. */
function InviteForm({ teamId }: { teamId: string }) {
  const [email, setEmail] = useState("");
  const [isRefused, setRefused] = useState(false);
  const invite = useInvite(teamId);
  const submit = () => {
    const address = email.trim();
    setRefused(address === "");
    if (address === "" || invite.isPending) return;
    invite.mutate(address, {
      onSuccess: ({ invitation, emailSent }) => {
        setEmail("");
        if (emailSent) return toast({ title: "Invitation sent successfully", description: invitation.email, tone: "success" });
        const url = invitationUrl(invitation.token);
        return toast({
          title: "Invitation created (email failed)",
          description: `Pass the link on to ${invitation.email}: ${url}`,
          tone: "warning",
          duration: null,
          action: { label: "Copy link", onClick: () => void copyInvitationLink(url) },
        });
      },
    });
  };
  return (
    <form
      noValidate
      aria-label="Invite"
      className="mt-16 flex flex-wrap items-start gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Email"
        hideLabel
        type="email"
        autoComplete="off"
        placeholder="name@company.com"
        value={email}
        error={isRefused ? "Email is required" : null}
        onChange={(event) => {
          setEmail(event.target.value);
          setRefused(false);
        }}
        className="min-w-160 flex-1"
      />
      <Button type="submit" variant="primary" busy={invite.isPending}>
        Send invitation
      </Button>
    </form>
  );
}

type PendingInvitationsProps = { invitations: readonly TeamInvitation[]; user: User };

/** A team's open invitations, with their links to copy. */
function PendingInvitations({ invitations, user }: PendingInvitationsProps) {
  const cancel = useCancelInvitation();
  if (invitations.length === 0) return null;
  const onCancel = ({ id, email }: TeamInvitation) => {
    if (!window.confirm(`Cancel the invitation of ${email}? Its link then lets nobody in.`)) return;
    cancel.mutate(id, { onSuccess: () => document.getElementById("team-members")?.focus() });
  };
  return (
    <section aria-labelledby="pending-invitations" className="mt-16">
      <h4 id="pending-invitations" className="flex h-28 items-center gap-8 text-13 font-medium text-ink">
        Pending invitations
        <span className="text-12 font-normal text-ink2 tabular-nums">{invitations.length}</span>
      </h4>
      <ul>
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex min-h-52 items-center gap-x-12">
            <span aria-hidden className="inline-flex size-32 shrink-0 items-center justify-center rounded-full bg-s3 text-ink2">
              <Mail className="size-16" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="truncate text-14 font-medium text-ink">{invitation.email}</p>
              <p className="text-12 text-ink2">{pendingLabel(invitation, user)}</p>
            </div>
            <CopyLink url={invitationUrl(invitation.token)} email={invitation.email} />
            <IconButton
              label={`Cancel the invitation of ${invitation.email}`}
              icon={X}
              tooltip="Cancel"
              disabled={cancel.isPending}
              onClick={() => onCancel(invitation)}
              className="-mr-8"
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CopyLink({ url, email }: { url: string; email: string }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    clearTimeout(timer.current);
    setCopied(await copyInvitationLink(url));
    timer.current = setTimeout(() => setCopied(false), COPY_CONFIRMATION_MS);
  };
  return (
    <Button size="sm" aria-label={`Copy link of ${email}`} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden className="size-14" /> : <Link aria-hidden className="size-14" />}
      <span className="@max-[420px]:hidden">{isCopied ? "Copied" : "Copy link"}</span>
    </Button>
  );
}

/** Copies an invitation's link and says how that went; true where it is on the clipboard. */
export async function copyInvitationLink(url: string): Promise<boolean> {
  const isCopied = await copyText(url);
  if (isCopied) toast({ title: "Invitation link copied to clipboard", tone: "success" });
  else toast({ title: "Failed to copy link", tone: "danger" });
  return isCopied;
}
