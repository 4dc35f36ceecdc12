import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { KnowledgeDialogProps } from "./pane.ts";
import SignInFirst from "./sign-in-first.tsx";

const KnowledgePopup = lazyPart<KnowledgeDialogProps>(async () => (await import("./knowledge-popup.tsx")).default);

/** 'Manage knowledge', and for guests why it asks to sign in. A dialog that opens it renders it within its own, so both close in turn. */
export function KnowledgeDialog(props: KnowledgeDialogProps) {
  const { isGuest } = useSession();
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  if (!used) return null;
  return isGuest ? <SignInFirst {...props} /> : <KnowledgePopup {...props} />;
}
