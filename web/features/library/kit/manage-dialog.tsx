import { type ComponentType } from "react";
import { SignInDialog } from "#web/features/people/session/sign-in-dialog.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import type { Managed } from "./manage-store.ts";
import type { ManageProps } from "./pane.ts";
import { useEver } from "#web/lib/use-ever.ts";

type ManageDialogProps = ManageProps & {
  what: Managed;
  /** Why guests are asked to sign in. */
  why: string;
  /** Its code comes with the first opening. */
  Popup: ComponentType<ManageProps>;
};

/** 'Manage ...', and for guests why it asks to sign in. A dialog that opens it renders it within its own, so both close in turn. */
export function ManageDialog({ what, why, Popup, ...props }: ManageDialogProps) {
  const { isGuest } = useSession();
  const used = useEver(props.open);
  if (!used) return null;
  if (isGuest) return <SignInDialog open={props.open} onClose={() => props.onOpenChange(false)} what={`use ${what}`} why={why} />;
  return <Popup {...props} />;
}
