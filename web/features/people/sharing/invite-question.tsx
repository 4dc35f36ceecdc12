import { APP_NAME } from "#shared/app.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";

type InviteQuestionProps = {
  /** What is shared. */
  what: "chat" | "artifact";
  email: string | null;
  /** This address was invited before. */
  isAgain: boolean;
  onCancel: () => void;
  onInvite: () => void;
};

/** Asks whether to mail somebody who has no account yet; the share is theirs once they sign up with this address. */
export function InviteQuestion({ what, email, isAgain, onCancel, onInvite }: InviteQuestionProps) {
  return (
    <ConfirmDialog
      open={email !== null}
      onOpenChange={(open) => !open && onCancel()}
      title={`Not on ${APP_NAME} yet`}
      confirm="Send Invite"
      danger={false}
      onConfirm={onInvite}
    >
      <p>
        <span className="font-medium text-ink [overflow-wrap:anywhere]">{email}</span>{" "}
        {isAgain
          ? `is invited and not yet on ${APP_NAME}. We can mail the invitation once more.`
          : `is not yet on ${APP_NAME}. We can mail an invitation; the ${what} is shared as soon as this address signs up.`}
      </p>
    </ConfirmDialog>
  );
}
