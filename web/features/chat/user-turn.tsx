import { Pencil } from "lucide-react";
import { use } from "react";
import type { Message } from "#shared/entities/message.ts";
import { ForkButton } from "#web/features/fork/fork-button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { CopyButton } from "./copy-button.tsx";
import { editing } from "./editing.ts";
import { useKeyed } from "./keyed-store.ts";
import { ReaderContext } from "./reader-context.ts";
import { TurnFrame } from "./turn-frame.tsx";
import { UserBubble } from "./user-bubble.tsx";
import { VersionSwitch } from "./version-switch.tsx";

const MessageEditor = lazyPart(async () => (await import("./message-editor.tsx")).MessageEditor);

/** A person's message: its text, and on hover, focus and touch what can be done with it. */
export function UserTurn({ message, isRecent, isBusy }: { message: Message; isRecent: boolean; isBusy: boolean }) {
  const isEdited = useKeyed(editing, message.chat_id) === message.id;
  const { ownId, canWrite } = use(ReaderContext);
  const { author } = message;
  const other = author !== null && ownId !== null && author.id !== ownId ? author.display_name : null;
  const speaker = other ?? "You";
  if (isEdited) {
    return (
      <TurnFrame messageId={message.id} speaker={speaker} isRecent className="pb-14">
        <MessageEditor message={message} isBusy={isBusy} />
      </TurnFrame>
    );
  }
  return (
    <TurnFrame messageId={message.id} speaker={speaker} isRecent={isRecent} className="pb-14">
      <div className="flex items-end justify-end gap-6 touch:flex-col touch:gap-0">
        <div className="flex items-center pb-5 touch:order-2 touch:pb-0">
          <span className="inline-flex opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:opacity-100">
            <CopyButton text={message.content} />
            {canWrite && (
              <IconButton label="Edit" icon={Pencil} disabled={isBusy} onClick={() => editing.set(message.chat_id, message.id)} />
            )}
            <ForkButton message={message} />
          </span>
          <VersionSwitch message={message} isBusy={isBusy} />
        </div>
        <div className="flex min-w-0 flex-col items-end touch:max-w-[87%]">
          {other !== null && <p className="mb-4 max-w-full truncate px-4 text-12 text-ink2">{other}</p>}
          <UserBubble content={message.content} attachments={message.attachments} />
        </div>
      </div>
    </TurnFrame>
  );
}
