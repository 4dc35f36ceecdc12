import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { counted } from "#web/lib/format.ts";
import { storedKeys } from "#web/lib/storage.ts";

/** Text of an artifact that could not be saved, and what is typed while the server is out of reach. */
const UNSAVED = /^artifact-draft:/;
const TYPED = /^(?:[^/]+\/)?draft:/;

/** What goes with whoever signs out here, as the server does not have it; null where nothing is lost that they may count on. */
export function unsentAtSignOut(): string | null {
  const unsent = outbox.all().length;
  if (unsent > 0) return `${counted(unsent, "message")} ${unsent === 1 ? "was" : "were"} not sent and will be lost.`;
  const isLost = (key: string) => UNSAVED.test(key) || (!navigator.onLine && TYPED.test(key));
  return storedKeys("").some(isLost) ? "What you typed is not saved on the server and will be lost." : null;
}
