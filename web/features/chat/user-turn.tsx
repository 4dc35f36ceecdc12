import { Pencil } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { editing } from "./editing.ts";
import { useKeyed } from "./keyed-store.ts";
import { MessageEditor } from "./message-editor.tsx";
import { TurnFrame } from "./turn-frame.tsx";
import { UserBubble } from "./user-bubble.tsx";
import { VersionSwitch } from "./version-switch.tsx";

/** A person's message: its text, and on hover, focus and touch what can be done with it. */
export function UserTurn({ message, isRecent, isBusy }: { message: Message; isRecent: boolean; isBusy: boolean }) {
  const isEdited = useKeyed(editing, message.chat_id) === message.id;
  if (isEdited) {
    return (
      <TurnFrame messageId={message.id} speaker="You" isRecent className="pb-14">
        <MessageEditor message={message} isBusy={isBusy} />
      </TurnFrame>
    );
  }
  return (
    <TurnFrame messageId={message.id} speaker="You" isRecent={isRecent} className="pb-14">
      <div className="flex flex-col items-end desk:flex-row desk:items-end desk:justify-end desk:gap-6">
        <div className="order-2 flex items-center desk:order-1 desk:pb-5">
          <span className="inline-flex opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:opacity-100">
            <CopyButton text={message.content} />
            <IconButton label="Edit" icon={Pencil} disabled={isBusy} onClick={() => editing.set(message.chat_id, message.id)} />
          </span>
          <VersionSwitch message={message} isBusy={isBusy} />
        </div>
        <div className="order-1 flex min-w-0 justify-end desk:order-2">
          <UserBubble>{message.content}</UserBubble>
        </div>
      </div>
    </TurnFrame>
  );
}
