import type { User } from "#shared/entities/user.ts";
import { APPROVAL_DAYS_MAX } from "#shared/limits.ts";
import type { PushKinds } from "#shared/contracts/account/push.ts";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { NumberRow } from "./number-row.tsx";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import Devices from "#web/features/mail/push/devices.tsx";
import { usePush, useSavePushKinds } from "#web/features/mail/push/use-push.ts";

const KINDS = [
  { kind: "reply", field: "notify_replies", label: "Finished replies", description: "A reply that you asked for is done" },
  { kind: "approval", field: "notify_approvals", label: "Approvals", description: "A reply wants to do something that needs your word" },
  { kind: "share", field: "notify_shares", label: "Shared with you", description: "Somebody shares a chat or an artifact with you" },
  {
    kind: "import",
    field: "notify_imports",
    label: "Imports and exports",
    description: "An import, an export or an index of yours is done",
  },
  { kind: "schedule", field: "notify_schedules", label: "Schedules", description: "A schedule of yours has news, or failed" },
] as const;

const MAILS = "Mails about chats that you have not looked at for two minutes, at most one an hour for each chat.";
const LINK = "Every mail has a link that ends its kind.";
const PUSHES = "Notifications come to the devices below as soon as something happens while you are away.";

/** Which mails and which notifications come about what happens while nobody looks; each switch holds at once. */
export function NotificationsPane({ user }: { user: User }) {
  const { features } = useSession();
  const hasPush = features?.push === true;
  return (
    <SubPane title="Notifications" about={[...(hasPush ? [PUSHES] : []), MAILS, LINK].join(" ")}>
      {hasPush && (
        <div aria-hidden className="flex justify-end pb-4 text-center text-12 text-ink3">
          <span className={COLUMN}>Mail</span>
          <span className={COLUMN}>Device</span>
        </div>
      )}
      <div className="border-t border-line">
        {KINDS.map((kind) => (
          <NotificationRow key={kind.field} {...kind} user={user} hasPush={hasPush} />
        ))}
        <NumberRow
          label="Approvals wait"
          description="Days after which a call that you did not decide about is discarded"
          name="Days that a call waits"
          setting="approval_days"
          saved={user.approval_days}
          shown={String(user.approval_days)}
          parse={toDays}
          refusal={`Give a whole number of days from 1 to ${APPROVAL_DAYS_MAX}.`}
        />
      </div>
      {hasPush && <Devices />}
    </SubPane>
  );
}

type RowProps = (typeof KINDS)[number] & { user: User; hasPush: boolean };

/** As wide as the word above it, and as a finger needs. */
const COLUMN = "flex w-52 justify-center";

function NotificationRow({ kind, field, label, description, user, hasPush }: RowProps) {
  const save = useSaveUser();
  const isOn = (save.isPending ? save.variables[field] : null) ?? user[field];
  const mail = (
    <Switch
      label={hasPush ? `${label} by mail` : label}
      checked={isOn}
      onChange={(event) => save.mutate({ [field]: event.target.checked })}
    />
  );
  return (
    <LedgerRow label={label} description={description} error={save.error?.message}>
      {hasPush ? (
        <div className="flex">
          <span className={COLUMN}>{mail}</span>
          <span className={COLUMN}>
            <PushSwitch kind={kind} label={`${label} on devices`} />
          </span>
        </div>
      ) : (
        mail
      )}
    </LedgerRow>
  );
}

function toDays(text: string): number | null {
  const days = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= APPROVAL_DAYS_MAX ? days : null;
}

/** Whether pushes come about a kind; it holds at once, on every device. */
function PushSwitch({ kind, label }: { kind: keyof PushKinds; label: string }) {
  const { data } = usePush();
  const save = useSavePushKinds();
  const isOn = (save.isPending ? save.variables[kind] : null) ?? data?.kinds[kind] ?? false;
  return <Switch label={label} checked={isOn} disabled={!data} onChange={({ target }) => save.mutate({ [kind]: target.checked })} />;
}
