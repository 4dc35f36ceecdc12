import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useState } from "react";
import type { Team, TeamMember, TeamRole } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { hiddenAtFirst, ownFirst } from "./team-labels.ts";
import { useChangeRole, useRemoveMember } from "./use-teams.ts";

const ROLES = [
  { value: "admin", label: "Admin" },
  { value: "member", label: "Member" },
] as const satisfies readonly { value: TeamRole; label: string }[];

type MemberListProps = { team: Team; user: User; members: readonly TeamMember[] };

/** Who is in a team; its admins change roles and remove people here. */
export function MemberList({ team, user, members }: MemberListProps) {
  const [showsAllMembers, setWhole] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const change = useChangeRole(team.id);
  const remove = useRemoveMember(team.id);
  const rows = ownFirst(members, user.id);
  const hidden = hiddenAtFirst(rows.length);
  const isBusy = change.isPending || remove.isPending;
  const onRole = ({ user_id: userId }: TeamMember, role: TeamRole) => {
    if (userId === user.id) setIsAsking(true);
    else change.mutate({ userId, role });
  };
  const stepDown = () => {
    setIsAsking(false);
    change.mutate({ userId: user.id, role: "member" });
  };
  const onRemove = ({ user_id: userId, users }: TeamMember) => {
    if (!window.confirm(`Remove ${users.display_name} from ${team.name}? What the team shares is out of their reach at once.`)) return;
    remove.mutate(userId, { onSuccess: () => document.getElementById("team-members")?.focus() });
  };
  return (
    <section aria-labelledby="team-members" className="mt-24">
      <h4 id="team-members" tabIndex={-1} className="flex h-28 items-center gap-8 text-13 font-medium text-ink outline-none">
        Members
        <span className="text-12 font-normal text-ink2 tabular-nums">{rows.length}</span>
      </h4>
      <ul>
        {(showsAllMembers ? rows : rows.slice(0, rows.length - hidden)).map((member) => (
          <MemberRow
            key={member.user_id}
            member={member}
            isYou={member.user_id === user.id}
            isCreator={member.user_id === team.created_by}
            isManaged={team.user_role === "admin"}
            isBusy={isBusy}
            onRole={(role) => onRole(member, role)}
            onRemove={() => onRemove(member)}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-8 px-8!"
          aria-expanded={showsAllMembers}
          onClick={() => setWhole(!showsAllMembers)}
        >
          {showsAllMembers ? <ChevronUp aria-hidden className="size-14" /> : <ChevronDown aria-hidden className="size-14" />}
          {showsAllMembers ? "Show fewer" : `Show ${hidden} more`}
        </Button>
      )}
      <ConfirmDialog open={isAsking} onOpenChange={setIsAsking} title="Become a member?" confirm="Become a member" onConfirm={stepDown}>
        Only another admin can make you an admin again.
      </ConfirmDialog>
    </section>
  );
}

type MemberRowProps = {
  member: TeamMember;
  isYou: boolean;
  isCreator: boolean;
  /** The viewer is an admin of the team. */
  isManaged: boolean;
  isBusy: boolean;
  onRole: (role: TeamRole) => void;
  onRemove: () => void;
};

function MemberRow({ member: { role, users }, isYou, isCreator, isManaged, isBusy, onRole, onRemove }: MemberRowProps) {
  const { display_name: name, email, profile_image: image } = users;
  const mayRemove = isManaged && !isYou && !isCreator;
  return (
    <li className="flex min-h-52 items-center gap-x-12">
      <Avatar name={name} image={image} size={32} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium text-ink">
          {name}
          {isYou && <span className="font-normal text-ink2"> (you)</span>}
        </p>
        {email !== null && <p className="truncate text-12 text-ink2">{email}</p>}
      </div>
      {isManaged && !isCreator ? (
        <Select
          look="plain"
          label={`Role of ${name}`}
          value={role}
          options={ROLES}
          onChange={onRole}
          disabled={isBusy}
          className={cx("w-96", !mayRemove && "mr-36 touch:mr-48")}
        />
      ) : (
        <span className={cx(isManaged && "mr-36 touch:mr-48")}>
          {role === "admin" ? <Badge tone="accent">Admin</Badge> : <span className="text-13 text-ink2">Member</span>}
        </span>
      )}
      {mayRemove && (
        <IconButton label={`Remove ${name}`} icon={X} tooltip="Remove" disabled={isBusy} onClick={onRemove} className="-mr-8" />
      )}
    </li>
  );
}
