import { attachFiles } from "#web/features/attachments/attach-files.ts";
import { NEW_CHAT } from "#web/features/composer/drafts.ts";
import { putBack, type Shared, takeShared } from "#web/lib/shared-inbox.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { fillComposer } from "./follow-deeplink.ts";

type Taking = {
  /** Only accounts attach files. */
  hasAccount: boolean;
  onSignIn: () => void;
};

/** Puts what was shared with the installed application into the new chat: its text into the composer, its files beside it. Nothing is sent. */
export async function openShared(id: string, { hasAccount, onSignIn }: Taking): Promise<void> {
  const shared = await readShared(id);
  if (shared === null) {
    toast({ title: "What was shared is gone", description: "Share it again.", tone: "warning" });
    return;
  }
  const { text } = shared;
  const files = shared.files.map(({ name, type, bytes }) => new File([bytes], name, { type }));
  if (text !== "") fillComposer(text, { isFilledIn: false });
  if (files.length === 0) return;
  if (hasAccount) return attachFiles(NEW_CHAT, files);
  // They wait for whoever signs in and comes back to this address.
  await putBack(id, { ...shared, text: "" }).catch(() => undefined);
  toast({
    title: "Sign in to attach what you shared",
    description: files.length === 1 ? "The file waits until you have." : `The ${files.length} files wait until you have.`,
    tone: "warning",
    duration: null,
    action: { label: "Sign in", onClick: onSignIn },
  });
}

async function readShared(id: string): Promise<Shared | null> {
  try {
    return await takeShared(id);
  } catch {
    // A browser that forgot its database has nothing to take.
    return null;
  }
}
