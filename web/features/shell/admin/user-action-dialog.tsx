import { type ReactNode, useId, useState } from "react";
import { blockUser, changePlan, deleteUser, giveCredits, signOutUser, unblockUser } from "#shared/contracts/account/admin.ts";
import type { AdminUser } from "#shared/entities/admin-user.ts";
import { ADMIN_CREDITS_MAX, ADMIN_REASON_LENGTH } from "#shared/limits.ts";
import type { Plan } from "#shared/plans.ts";
import { call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { dollars } from "./admin-labels.ts";
import { useAdminAction } from "./use-admin.ts";

export type UserAction = "plan" | "credits" | "signOut" | "block" | "unblock" | "delete";

const PLANS = [
  { value: "none", label: "None" },
  { value: "solo", label: "Solo plan" },
  { value: "team", label: "Team plan" },
] as const satisfies readonly { value: Plan; label: string }[];

type ActionTexts = { title: (name: string) => string; says: string; verb: string; danger?: true; needsReason: boolean };

const ACTION_TEXTS: Record<UserAction, ActionTexts> = {
  plan: {
    title: (name) => `Change the plan of ${name}`,
    says: "It holds from their next request on.",
    verb: "Change plan",
    needsReason: false,
  },
  credits: {
    title: (name) => `Give credits to ${name}`,
    says: "They become an entry of the ledger, which nobody takes back.",
    verb: "Give credits",
    needsReason: true,
  },
  signOut: {
    title: (name) => `Sign ${name} out everywhere?`,
    says: "All their sessions end, and what these hold open is closed. They can sign in again.",
    verb: "Sign out everywhere",
    needsReason: false,
  },
  block: {
    title: (name) => `Block ${name}?`,
    says: "Their sessions end at once, and they cannot sign in until somebody unblocks them. Their chats, shares and mails stay.",
    verb: "Block",
    danger: true,
    needsReason: true,
  },
  unblock: { title: (name) => `Unblock ${name}`, says: "They can sign in again.", verb: "Unblock", needsReason: false },
  delete: {
    title: (name) => `Delete the account of ${name}?`,
    says: "They are signed out at once, what they shared is gone for everybody, and within a day all that is their own. Nothing can be brought back.",
    verb: "Delete account",
    danger: true,
    needsReason: true,
  },
};

type Chosen = { reason: string; plan: Plan; amount: number; typed: string };

function perform(action: UserAction, id: string, { reason, plan, amount, typed }: Chosen): Promise<unknown> {
  const params = { id };
  const reasonBody = reason === "" ? {} : { reason };
  switch (action) {
    case "plan":
      return call(changePlan, { params, body: { plan, ...reasonBody } });
    case "credits":
      return call(giveCredits, { params, body: { amount, reason } });
    case "signOut":
      return call(signOutUser, { params, body: reasonBody });
    case "block":
      return call(blockUser, { params, body: { reason } });
    case "unblock":
      return call(unblockUser, { params, body: reasonBody });
    case "delete":
      return call(deleteUser, { params, body: { email: typed, reason } });
  }
}

function doneMessage(action: UserAction, name: string, { plan, amount }: Chosen): string {
  switch (action) {
    case "plan":
      return `${name} has ${plan === "none" ? "no plan" : `the ${plan} plan`} now`;
    case "credits":
      return `${dollars(amount)} of credits given to ${name}`;
    case "signOut":
      return `${name} is signed out everywhere`;
    case "block":
      return `${name} is blocked`;
    case "unblock":
      return `${name} can sign in again`;
    case "delete":
      return `The account of ${name} is being deleted`;
  }
}

type UserActionDialogProps = { action: UserAction; user: AdminUser; open: boolean; onClose: () => void };

/** Asks what an action takes, and for its reason, before it is done. */
export function UserActionDialog({ action, user, open, onClose }: UserActionDialogProps) {
  const { display_name: name, email } = user;
  const { title, says, verb, danger, needsReason } = ACTION_TEXTS[action];
  const form = useId();
  const [plan, setPlan] = useState<Plan>(user.plan);
  const [amount, setAmount] = useState("");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const run = useAdminAction((chosen: Chosen) => perform(action, user.id, chosen), {
    done: (chosen) => doneMessage(action, name, chosen),
    failed: `${verb}: that did not work`,
  });
  const amountError =
    action === "credits" && !isAmount(amount) ? `Enter an amount above $0, up to ${dollars(ADMIN_CREDITS_MAX)}, in whole cents.` : null;
  const typedError = action === "delete" && typed.trim().toLowerCase() !== email ? "That is not this account's address." : null;
  const reasonError = needsReason && reason.trim() === "" ? "Say why." : null;
  const submit = () => {
    setTried(true);
    if (amountError !== null || typedError !== null || reasonError !== null || run.isPending) return;
    run.mutate({ reason: reason.trim(), plan, amount: Number(amount), typed }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={title(name)}
      subtitle={email ?? undefined}
      role={danger ? "alertdialog" : "dialog"}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant={danger ? "danger" : "primary"} busy={run.isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-16"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-14 text-ink2">{says}</p>
        {action === "plan" && (
          <Labelled label="Plan">
            <Select label="Plan" value={plan} options={PLANS} onChange={setPlan} className="w-full" />
          </Labelled>
        )}
        {action === "credits" && (
          <TextField
            label="US dollars"
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            error={isTried ? amountError : null}
            onChange={(event) => setAmount(event.target.value)}
          />
        )}
        {action === "delete" && (
          <TextField
            label={`Type ${email ?? ""} to confirm`}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={isTried ? typedError : null}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <TextField
          label={needsReason ? "Reason" : "Reason, if there is one to keep"}
          autoComplete="off"
          maxLength={ADMIN_REASON_LENGTH}
          value={reason}
          error={isTried ? reasonError : null}
          hint="Kept in the audit log."
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-6 text-13 font-medium text-ink">
        {label}
      </p>
      {children}
    </div>
  );
}

function isAmount(text: string): boolean {
  return /^\d{1,4}(?:\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= ADMIN_CREDITS_MAX;
}
