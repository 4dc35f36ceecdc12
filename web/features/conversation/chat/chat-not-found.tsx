import { DeadEnd } from "#web/ui/dead-end.tsx";

/** One and the same screen for a chat of somebody else, of nobody, and an address that cannot be one. */
export function ChatNotFound() {
  return <DeadEnd title="This chat doesn't exist, or you have no access to it." />;
}
