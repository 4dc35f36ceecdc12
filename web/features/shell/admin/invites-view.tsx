import { Undo2 } from "lucide-react";
import { useState } from "react";
import { listAllInvites, returnAnyInvite } from "#shared/contracts/account/operation.ts";
import type { AnyInvite } from "#shared/entities/operation.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { PLANS } from "#shared/plans.ts";
import { call } from "#web/lib/api.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { dollars } from "./admin-labels.ts";
import { adminPath } from "./admin-view.ts";
import { PagedList } from "./paged-list.tsx";
import { Section } from "./section.tsx";
import { useAdminAction, usePages } from "./use-admin.ts";

/** Invites that the overview shows. */
const SHOWN = 4;

function useInvites() {
  return usePages(["invites"], async (page, signal) => {
    const { invites, nextCursor } = await call(listAllInvites, { query: page }, { signal });
    return { rows: invites, nextCursor };
  });
}

/** The newest invites. */
export function LatestInvites() {
  const list = useInvites();
  return (
    <Section title="Invites" all={adminPath("invites")}>
      <PagedList list={{ ...list, hasMore: false }} what="The invites" empty="Nobody has made an invite yet.">
        {(invites) => (
          <ul className="border-t border-line">
            {invites.slice(0, SHOWN).map((invite) => (
              <li key={invite.id} className="flex min-h-36 items-center gap-8 border-b border-line text-13">
                <Code invite={invite} />
                <span className="min-w-0 flex-1 truncate text-right text-12 text-ink2">{whomFor(invite)}</span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function whomFor({ used_by: user, sent_to: sentTo, created_by: maker }: AnyInvite): string {
  return user?.display_name ?? sentTo ?? `by ${maker?.display_name ?? "somebody who left"}`;
}

function Code({ invite: { code, plan, initial_credits: credits } }: { invite: AnyInvite }) {
  return (
    <>
      <span className="font-mono text-12 whitespace-nowrap text-ink">{showInviteCode(code)}</span>
      <Badge tone={plan === "team" ? "accent" : "neutral"}>{plan === "none" ? dollars(credits) : PLANS[plan].name}</Badge>
    </>
  );
}

/** Everybody's invites; an unused one can be taken back. */
export function InvitesView() {
  const list = useInvites();
  const [asked, setAsked] = useState<AnyInvite | null>(null);
  const [isOpen, setOpen] = useState(false);
  const take = useAdminAction((invite: AnyInvite) => call(returnAnyInvite, { params: { id: invite.id } }), {
    done: ({ code }) => `The invite ${showInviteCode(code)} is taken back`,
    failed: "The invite could not be taken back",
  });
  return (
    <div className="max-w-752">
      <PagedList list={list} what="The invites" empty="Nobody has made an invite yet.">
        {(invites) => (
          <ul aria-label="Invites" className="border-t border-line">
            {invites.map((invite) => (
              <Invite
                key={invite.id}
                invite={invite}
                onReturn={() => {
                  setAsked(invite);
                  setOpen(true);
                }}
              />
            ))}
          </ul>
        )}
      </PagedList>
      {asked && (
        <ConfirmDialog
          open={isOpen}
          onOpenChange={setOpen}
          title={`Take ${showInviteCode(asked.code)} back?`}
          confirm="Take back"
          busy={take.isPending}
          onConfirm={() => take.mutate(asked, { onSuccess: () => setOpen(false) })}
        >
          Whoever has this code cannot use it any more.
        </ConfirmDialog>
      )}
    </div>
  );
}

function Invite({ invite, onReturn }: { invite: AnyInvite; onReturn: () => void }) {
  const { code, created_at: at, created_by: maker, sent_to: sentTo, used_by: user, used_at: usedAt, team_name: team, plan } = invite;
  const facts = [
    `made by ${maker?.display_name ?? "somebody who left"}`,
    sentTo !== null && `for ${sentTo}`,
    plan !== "none" && `gives ${dollars(invite.initial_credits)}`,
    team !== null && `joins ${team}`,
    !invite.auto_activate && "needs approval",
    usedAt !== null && `used by ${user?.display_name ?? "somebody who left"} ${rowTime(usedAt)}`,
  ].filter((fact) => fact !== false);
  return (
    <li className="flex items-center gap-12 border-b border-line py-10 text-13">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-8">
          <Code invite={invite} />
          <time dateTime={at} title={fullTime(at)} className="text-12 text-ink2">
            {rowTime(at)}
          </time>
        </p>
        <p className="mt-2 break-words text-ink2">{facts.join(", ")}</p>
      </div>
      {usedAt === null && <IconButton icon={Undo2} label={`Take ${showInviteCode(code)} back`} tooltip="Take back" onClick={onReturn} />}
    </li>
  );
}
