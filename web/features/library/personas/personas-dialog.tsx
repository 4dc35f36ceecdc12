import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PersonasDialogState } from "./personas-store.ts";
import SignInFirst from "./sign-in-first.tsx";

const PersonasPopup = lazyPart<PersonasDialogState>(async () => (await import("./personas-popup.tsx")).default);

/** 'Manage Personas', and for guests why it asks to sign in. A dialog that opens it renders it within its own, so both close in turn. */
export function PersonasDialog(props: PersonasDialogState) {
  const { isGuest } = useSession();
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  if (!used) return null;
  return isGuest ? <SignInFirst {...props} /> : <PersonasPopup {...props} />;
}
