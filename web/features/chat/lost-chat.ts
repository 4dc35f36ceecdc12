import { clearDraftFiles, readDraftFiles } from "#web/features/composer/draft-files.ts";
import { clearDraft, flushDrafts, readDraft, writeDraft } from "#web/features/composer/drafts.ts";
import { toast } from "#web/ui/toast.tsx";
import { leaving } from "./leaving.ts";
import { NEW_CHAT } from "./use-send-message.ts";

type Loss = {
  chatId: string;
  /** True for a chat of somebody else. */
  isOthers: boolean;
};

/** Says that the shown chat is gone, unless this tab deleted or left it, and where the text is that was written in it and not sent. */
export function tellLoss({ chatId, isOthers }: Loss): void {
  if (leaving.has(chatId)) return;
  const description = takeOver(chatId);
  toast({ title: isOthers ? "This chat is no longer shared with you" : "This chat was deleted", ...(description && { description }) });
}

/** Takes what was not sent in a chat over to the message box of a new one. Answers what to say of it, null where there was nothing. */
function takeOver(chatId: string): string | null {
  const text = readDraft(chatId);
  const hasFiles = readDraftFiles(chatId).files.length > 0;
  clearDraft(chatId);
  // They went with the chat that they were uploaded to.
  clearDraftFiles(chatId);
  if (text.trim() !== "") {
    writeDraft(NEW_CHAT, [text, readDraft(NEW_CHAT)].filter((part) => part.trim() !== "").join("\n\n"));
    flushDrafts();
  }
  const said = [text.trim() !== "" && "What you had not sent is in the message box.", hasFiles && "Its files are gone; attach them again."];
  return said.filter((sentence) => sentence !== false).join(" ") || null;
}
