import { Check, Link, Mail, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { TeamInvitation } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { copyInvitationLink } from "./copy-link.ts";
import { invitationUrl, pendingWords } from "./team-words.ts";
import { useCancelInvitation } from "./use-teams.ts";

type PendingInvitationsProps = { invitations: readonly TeamInvitation[]; user: User };

/** A team's open invitations, with their links to copy. */
export function PendingInvitations({ invitations, user }: PendingInvitationsProps) {
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
              <p className="text-12 text-ink2">{pendingWords(invitation, user)}</p>
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
