import { useEffect, useRef, useState } from "react";
import type { Invite } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { focusAfter } from "#web/ui/focus.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { GenerateForm } from "./generate-form.tsx";
import { formatDollars, inviteNote, inviteUrl } from "./invite-labels.ts";
import { type ShareInvitation, useInvites, useLabel, useReturnInvite } from "./use-invites.ts";
import { Check, Link, Pencil, Undo2 } from "lucide-react";
import { INVITE_LABEL_LENGTH } from "#shared/limits.ts";
import { planOf, PLANS } from "#shared/plans.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

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
            <TryAgain busy={isFetching} onClick={() => void refetch()} />
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
  return `Each invite opens one account with ${formatDollars(balance.default_credits)} of credits, once. Unused ones can be taken back.`;
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

/** An unused invite: its code, what it gives, and its link to copy. */
function InviteRow({ invite, onReturn }: { invite: Invite; onReturn: () => void }) {
  const [isLabelling, setLabelling] = useState(false);
  const code = showInviteCode(invite.code);
  const plan = planOf(invite);
  const pencil = `label-${invite.id}`;
  return (
    <li className="flex min-h-52 items-center gap-x-4 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-8 gap-y-2">
          <span className="font-mono text-13 text-ink">{code}</span>
          {plan !== "none" && <Badge tone="accent">{PLANS[plan].name}</Badge>}
          <Badge>{formatDollars(invite.initial_credits)}</Badge>
        </p>
        {isLabelling ? (
          <LabelField
            invite={invite}
            onLeave={() => setLabelling(false)}
            onKey={() => focusAfter(() => setLabelling(false), `#${CSS.escape(pencil)}`)}
          />
        ) : (
          <p className="mt-2 text-12 [overflow-wrap:anywhere] text-ink2">{inviteNote(invite)}</p>
        )}
      </div>
      <CopyLink invite={invite} code={code} />
      <IconButton
        id={pencil}
        label={`Label ${code}`}
        tooltip="Label"
        icon={Pencil}
        aria-expanded={isLabelling}
        onClick={() => setLabelling(true)}
        className="ml-4"
      />
      <IconButton label={`Take ${code} back`} tooltip="Take back" icon={Undo2} onClick={onReturn} className="-mr-8" />
    </li>
  );
}

type LabelFieldProps = {
  invite: Invite;
  /** The focus is elsewhere by now. */
  onLeave: () => void;
  /** Ended by a key. */
  onKey: () => void;
};

/** Enter and leaving the field keep what it says, Escape does not. */
function LabelField({ invite, onLeave, onKey }: LabelFieldProps) {
  const [text, setText] = useState(invite.sent_to ?? "");
  const label = useLabel();
  const field = useRef<HTMLInputElement>(null);
  // What goes loses the focus once more.
  const isOver = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (close: () => void, isSaved: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (isSaved && text.trim() !== (invite.sent_to ?? "")) label.mutate({ id: invite.id, label: text });
    close();
  };
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        end(onKey, true);
      }}
    >
      <input
        ref={field}
        aria-label={`Whom ${showInviteCode(invite.code)} is for`}
        placeholder="Whom it is for"
        value={text}
        maxLength={INVITE_LABEL_LENGTH}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => end(onLeave, true)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // The dialog stays open.
          event.preventDefault();
          event.stopPropagation();
          end(onKey, false);
        }}
        className={cx(fieldClass, "h-32 max-w-240 text-13 touch:h-44 touch:text-16")}
      />
    </form>
  );
}

function CopyLink({ invite, code }: { invite: Invite; code: string }) {
  const { state, copy } = useCopy();
  useEffect(() => {
    if (state === "failed") toast({ title: "Failed to copy invite link", tone: "danger" });
  }, [state]);
  const isCopied = state === "copied";
  return (
    <Button
      size="sm"
      aria-label={isCopied ? `Copied link of ${code}` : `Copy link of ${code}`}
      className={cx("max-[420px]:px-10", isCopied && "bg-accent-soft! text-accent-soft-ink!")}
      onClick={() => copy(inviteUrl(invite.code, window.location.origin))}
    >
      {isCopied ? <Check aria-hidden className="size-14" /> : <Link aria-hidden className="size-14" />}
      <span className="max-[420px]:hidden">{isCopied ? "Copied" : "Copy link"}</span>
    </Button>
  );
}
