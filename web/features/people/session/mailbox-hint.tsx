import { useSession } from "./use-session.ts";

/** Says where mail goes on a machine of one's own. */
export function MailboxHint() {
  const { features } = useSession();
  if (!features?.mailbox) return null;
  return (
    <p className="mt-4 text-13 text-ink3">
      Local mode: codes arrive in the{" "}
      <a href="/dev/mailbox" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
        local mailbox
      </a>
      .
    </p>
  );
}
