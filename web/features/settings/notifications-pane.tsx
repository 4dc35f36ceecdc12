import type { User } from "#shared/entities/user.ts";
import { APPROVAL_DAYS_MAX } from "#shared/limits.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { NumberRow } from "./number-row.tsx";
import { SubPane } from "./sub-pane.tsx";

const KINDS = [
  { field: "notify_replies", label: "Finished replies", description: "A reply that you asked for is done" },
  { field: "notify_approvals", label: "Approvals", description: "A reply wants to do something that needs your word" },
  { field: "notify_shares", label: "Shared chats", description: "Somebody shares a chat with you" },
  { field: "notify_imports", label: "Imports and exports", description: "An import, an export or an index of yours is done" },
  { field: "notify_schedules", label: "Schedules", description: "A schedule of yours has news, or failed" },
] as const;

/** Which mails come about what happens while nobody looks; each switch holds at once. */
export function NotificationsPane({ user }: { user: User }) {
  return (
    <SubPane
      title="Notifications"
      about="Mails about chats that you have not looked at for two minutes, at most one an hour for each chat. Every mail has a link that ends its kind."
    >
      <div className="border-t border-line">
        {KINDS.map((kind) => (
          <NotificationRow key={kind.field} {...kind} user={user} />
        ))}
        <NumberRow
          label="Approvals wait"
          description="Days after which a call that you did not decide about is discarded"
          name="Days that a call waits"
          setting="approval_days"
          kept={user.approval_days}
          shown={String(user.approval_days)}
          parse={toDays}
          refusal={`Give a whole number of days from 1 to ${APPROVAL_DAYS_MAX}.`}
        />
      </div>
    </SubPane>
  );
}

type RowProps = (typeof KINDS)[number] & { user: User };

function NotificationRow({ field, label, description, user }: RowProps) {
  const save = useSaveUser();
  const isOn = (save.isPending ? save.variables[field] : null) ?? user[field];
  return (
    <LedgerRow label={label} description={description} error={save.error?.message}>
      <Switch label={label} checked={isOn} onChange={(event) => save.mutate({ [field]: event.target.checked })} />
    </LedgerRow>
  );
}

function toDays(text: string): number | null {
  const days = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= APPROVAL_DAYS_MAX ? days : null;
}
