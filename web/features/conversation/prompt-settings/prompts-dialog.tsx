import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PromptsDialogProps } from "#web/features/library/prompts/pane.ts";
import SignInFirst from "#web/features/library/prompts/sign-in-first.tsx";

const PromptsWithSettings = lazyPart<PromptsDialogProps>(async () => (await import("./prompts-with-settings.tsx")).default);

/** 'Manage prompts', and for guests why it asks to sign in. A dialog that opens it renders it within its own, so both close in turn. */
export function PromptsDialog(props: PromptsDialogProps) {
  const { isGuest } = useSession();
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  if (!used) return null;
  return isGuest ? <SignInFirst {...props} /> : <PromptsWithSettings {...props} />;
}
