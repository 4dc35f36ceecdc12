import { ATTACHMENT_BYTES, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import { attachFiles } from "#web/features/conversation/attachments/attach-files.ts";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { deleteShared, storeRemaining, peekShared, type Shared } from "#web/lib/shared-inbox.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { fillComposer } from "./follow-deeplink.ts";

/** Puts the text of what was shared with the installed application into the new chat's composer; answers its files, which stay where they are until their person decides. */
export async function openShared(id: string): Promise<readonly File[]> {
  const shared = await readShared(id);
  if (shared === null) {
    toast({ title: "What was shared is gone", description: "Share it again.", tone: "warning" });
    return [];
  }
  const { text, files, leftOut = 0 } = shared;
  if (text !== "") fillComposer(text, { isFilledIn: false });
  if (leftOut > 0) {
    toast({
      title: leftOut === 1 ? "One file was left out" : `${leftOut} files were left out`,
      description: `A message takes at most ${ATTACHMENTS_PER_MESSAGE} files of up to ${formatBytes(ATTACHMENT_BYTES)} each.`,
      tone: "warning",
      duration: null,
    });
  }
  // What was said and filled in once is not again, when the page is drawn anew.
  await (files.length === 0 ? deleteShared(id) : storeRemaining(id, { ...shared, text: "", leftOut: 0 })).catch(() => undefined);
  return files.map(({ name, type, bytes }) => new File([bytes], name, { type }));
}

/** Attaches shared files to the new chat, as their person wants. */
export function attachShared(id: string, files: readonly File[]): void {
  attachFiles(NEW_CHAT, files);
  forgetShared(id);
}

/** Forgets shared files that nobody wants. */
export function forgetShared(id: string): void {
  void deleteShared(id).catch(() => undefined);
}

async function readShared(id: string): Promise<Shared | null> {
  try {
    return await peekShared(id);
  } catch {
    // A browser that forgot its database has nothing to take.
    return null;
  }
}
