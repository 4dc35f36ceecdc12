import type { User } from "#shared/entities/user.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { ApprovalDays } from "./approval-days.tsx";
import { SubPane } from "./sub-pane.tsx";

const KINDS = [
  { field: "notify_replies", label: "Finished replies", description: "A reply that you asked for is done" },
  { field: "notify_approvals", label: "Approvals", description: "A reply wants to do something that needs your word" },
  { field: "notify_shares", label: "Shared chats", description: "Somebody shares a chat with you" },
  { field: "notify_imports", label: "Imports", description: "An import or an index of yours is done" },
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
        <ApprovalDays user={user} />
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
