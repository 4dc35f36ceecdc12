import { getChat } from "#shared/contracts/chat/chats.ts";
import { clearDraftFiles, readDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { NEW_CHAT, clearDraft, flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { latestText, unlockAfterEditing } from "./editing-locks.ts";
import { leaving } from "./leaving.ts";
import { isOwn } from "./message-owner.ts";
import { outbox } from "./outbox.ts";

type Loss = {
  chatId: string;
  /** True where this tab was in the chat, and goes to a new one. */
  isShown: boolean;
  /** True for a chat of somebody else. */
  isOthers: boolean;
  /** What a chat was called whose owner deleted their account. */
  deletedTitle?: string | undefined;
};

/** Says that the shown chat is gone, unless this tab deleted or left it, and of any chat where the text is that was not sent in it. */
export function notifyChatLost({ chatId, isShown, isOthers, deletedTitle }: Loss): void {
  if (leaving.has(chatId)) return;
  const unsent = takeOver(chatId);
  if (isShown) {
    const title =
      deletedTitle === undefined
        ? isOthers
          ? "This chat is no longer shared with you"
          : "This chat was deleted"
        : "This chat is gone: its owner deleted their account";
    toast({ title, ...(unsent && { description: unsent }) });
  } else if (unsent) {
    toast({ title: "A message was not sent: its chat is gone", description: unsent, tone: "warning", duration: null });
  } else if (deletedTitle !== undefined) {
    queueDeletionToast(deletedTitle);
  }
}

/** Chats of one account go one after another: those of so many milliseconds are reported together. */
const TOGETHER_MS = 800;
const deletedTitles: string[] = [];

function queueDeletionToast(title: string): void {
  deletedTitles.push(title);
  if (deletedTitles.length > 1) return;
  setTimeout(() => toast({ title: deletedWithAccountText(deletedTitles.splice(0)) }), TOGETHER_MS);
}

/** Says that chats went with their owner's account, by name where it is one: `‘Trip’ was deleted with its owner’s account`. */
export function deletedWithAccountText([first = "", ...others]: readonly string[]): string {
  if (others.length > 0) return `${others.length + 1} chats were deleted with their owner\u2019s account`;
  return `${first === "" ? "A chat" : `\u2018${first}\u2019`} was deleted with its owner\u2019s account`;
}

/** Where a message that waited was refused as its chat is gone, its text is offered in a new one. */
export async function offerUnsentIfChatDeleted(chatId: string): Promise<void> {
  if (outbox.ofChat(chatId).some(isOwn) && (await isDeleted(chatId))) notifyChatLost({ chatId, isShown: false, isOthers: true });
}

async function isDeleted(chatId: string): Promise<boolean> {
  try {
    await call(getChat, { params: { id: chatId } });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}

/** Takes what was not sent in a chat over to the message box of a new one, before its own text. Answers what to say of it, null where there was nothing. */
function takeOver(chatId: string): string | null {
  const sends = outbox.ofChat(chatId).filter(isOwn);
  const hasFiles = readDraftFiles(chatId).files.length > 0 || sends.some(({ attachments = [] }) => attachments.length > 0);
  const texts = [...sends.map(latestText), readDraft(chatId)].filter((text) => text.trim() !== "");
  if (texts.length > 0) {
    writeDraft(NEW_CHAT, [...texts, readDraft(NEW_CHAT)].join("\n\n").trimEnd());
    flushDrafts();
  }
  for (const { id } of sends) {
    unlockAfterEditing(id);
    outbox.remove(id);
  }
  clearDraft(chatId);
  // Files go with the chat that they were uploaded to.
  clearDraftFiles(chatId);
  const sentences = [
    ...(texts.length > 0 ? ["What you had not sent is in the message box of a new chat."] : []),
    ...(hasFiles ? ["Its files are gone; attach them again."] : []),
  ];
  return sentences.join(" ") || null;
}
