import { Check, Link, Pencil, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Invite } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { INVITE_LABEL_LENGTH } from "#shared/limits.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { useCopy } from "#web/features/markdown/use-copy.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { focusAfter } from "#web/ui/focus-after.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { dollarWords, inviteNote, inviteUrl } from "./invite-words.ts";
import { useLabel } from "./use-invites.ts";

/** An unused invite: its code, what it gives, and its link to copy. */
export function InviteRow({ invite, onReturn }: { invite: Invite; onReturn: () => void }) {
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
          <Badge>{dollarWords(invite.initial_credits)}</Badge>
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
  const end = (close: () => void, isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && text.trim() !== (invite.sent_to ?? "")) label.mutate({ id: invite.id, label: text });
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
