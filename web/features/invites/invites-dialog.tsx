import { useRef, useState } from "react";
import type { Invite } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { focusAfter } from "#web/ui/focus-after.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { GenerateForm } from "./generate-form.tsx";
import { InviteRow } from "./invite-row.tsx";
import { dollarWords } from "./invite-words.ts";
import { type ShareInvitation, useInvites, useReturnInvite } from "./use-invites.ts";

type InvitesDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** An address that a chat waits for: it is mailed its invite from here. */
  sharing?: ShareInvitation | null;
  onMailed?: () => void;
};

/** A person's invites: how many are left, a further one, and those that nobody has used yet. */
export default function InvitesDialog({ open, onOpenChange, sharing = null, onMailed }: InvitesDialogProps) {
  const { data, isError, error, refetch, isFetching } = useInvites(open);
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Invites" subtitle={subtitleOf(data?.balance)} width={640} initialFocus={content}>
      <div ref={content} tabIndex={-1} className="outline-none">
        {data ? (
          <>
            <GenerateForm key={sharing?.email} answer={data} sharing={sharing} onMailed={onMailed} />
            <Unused invites={data.invites} />
          </>
        ) : isError ? (
          <div role="alert" className="flex items-center gap-12 text-14 text-ink2">
            <p className="min-w-0 flex-1">Your invites could not be loaded. {error.message}</p>
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        ) : (
          <div aria-busy className="space-y-12">
            <Skeleton className="h-20 w-200" />
            <Skeleton className="h-12 w-320 max-w-full" />
            <Skeleton className="h-52 w-full rounded-8" />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function subtitleOf(balance: { limit: number | null; default_credits: number } | undefined): string {
  if (!balance || balance.limit === null) return "Each invite opens one account, once.";
  return `Each invite opens one account with ${dollarWords(balance.default_credits)} of credits, once. Unused ones can be taken back.`;
}

const UNUSED = "unused-invites";

function Unused({ invites }: { invites: readonly Invite[] }) {
  const [returned, setReturned] = useState<Invite | null>(null);
  const [isAsked, setAsked] = useState(false);
  const giveBack = useReturnInvite();
  return (
    <section aria-labelledby={UNUSED} className="mt-20">
      <h3 id={UNUSED} tabIndex={-1} className="flex h-28 items-center gap-8 text-13 font-medium text-ink outline-none">
        Unused
        {invites.length > 0 && <span className="text-12 font-normal text-ink2 tabular-nums">{invites.length}</span>}
      </h3>
      {invites.length === 0 ? (
        <p className="py-8 text-13 text-ink2">No unused invites yet. Generate one above!</p>
      ) : (
        <ul>
          {invites.map((invite) => (
            <InviteRow
              key={invite.id}
              invite={invite}
              onReturn={() => {
                setReturned(invite);
                setAsked(true);
              }}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Take the invite back?"
        confirm="Take back"
        busy={giveBack.isPending}
        onConfirm={() => returned && giveBack.mutate(returned.id, { onSettled: () => focusAfter(() => setAsked(false), `#${UNUSED}`) })}
      >
        {returned && (
          <p>
            The link of <span className="font-mono text-13 text-ink">{showInviteCode(returned.code)}</span>
            {returned.sent_to && ` for ${returned.sent_to}`} then opens nothing.
          </p>
        )}
      </ConfirmDialog>
    </section>
  );
}
