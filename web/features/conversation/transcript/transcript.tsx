import type { ComponentProps } from "react";
import { useFirstScreenShown } from "#web/lib/first-screen.ts";
import MessageList from "./message-list.tsx";
import { useReplyStream } from "#web/features/conversation/replies/use-reply-stream.ts";

type TranscriptProps = ComponentProps<typeof MessageList> & { replyId: string | null };

/** A chat's messages, the one being written included. */
export default function Transcript({ replyId, ...list }: TranscriptProps) {
  useFirstScreenShown();
  useReplyStream(list.chatId, replyId);
  return <MessageList {...list} />;
}
