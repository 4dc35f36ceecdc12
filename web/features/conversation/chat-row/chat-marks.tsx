import { Archive, Globe, type LucideIcon, Mail, Pin, Share, Users } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";

/** What a row says of a chat besides its words: as icons, and in words for those who cannot see them. */
export function marksOf(chat: Chat): { icon: LucideIcon; words: string }[] {
  return [
    ...(chat.isShared ? [{ icon: Users, words: `Shared with you by ${chat.sharedByName ?? "somebody"}` }] : []),
    ...(chat.hasBeenShared ? [{ icon: Share, words: "Shared by you" }] : []),
    ...(chat.public ? [{ icon: Globe, words: "Published" }] : []),
    ...(chat.hasMails ? [{ icon: Mail, words: "Has emails" }] : []),
    ...(chat.archived ? [{ icon: Archive, words: "Archived" }] : []),
  ];
}

type ChatMarksProps = { chat: Chat; isChoosing: boolean };

/** The marks on a row's second line; while rows are being ticked also those whose place the checkbox takes. */
export function ChatMarks({ chat, isChoosing }: ChatMarksProps) {
  return (
    <span className="flex shrink-0 items-center gap-6 empty:hidden">
      {marksOf(chat).map(({ icon: Icon, words }) => (
        <span key={words} title={words} className="pointer-events-auto">
          <Icon aria-hidden className="size-14" />
        </span>
      ))}
      {isChoosing && chat.isPinned && <Pin aria-hidden className="size-14" />}
      {isChoosing && <Dot chat={chat} />}
    </span>
  );
}

/** A reply being written, something unread, or a pin, in the row's first column. */
export function LeadMark({ chat }: { chat: Chat }) {
  return chat.isPinned && chat.isRead && !chat.isStreaming ? <Pin aria-hidden className="size-14 text-ink3" /> : <Dot chat={chat} />;
}

function Dot({ chat }: { chat: Chat }) {
  if (chat.isStreaming) return <span className="thinking-dot text-accent" />;
  return chat.isRead ? null : <span className="size-7 shrink-0 rounded-full bg-signal" />;
}
