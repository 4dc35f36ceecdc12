import { BookmarkPlus, Pencil } from "lucide-react";
import { use } from "react";
import type { Message } from "#shared/entities/message.ts";
import { ForkButton } from "#web/features/conversation/fork/fork-button.tsx";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { editing } from "#web/features/conversation/sending/editing.ts";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { VersionSwitch } from "./version-switch.tsx";

/** The message is changed in its place: it stays until the code of its editor is here. */
function edit(message: Message): void {
  const begin = () => editing.set(message.chat_id, message);
  void import("#web/features/conversation/sending/message-editor.tsx").then(begin, begin);
}

export type QuestionActionsProps = { message: Message; isBusy: boolean };

/** What can be done with a person's message, on hover, focus and touch, and which of its versions is shown. */
export function QuestionActions({ message, isBusy }: QuestionActionsProps) {
  const { canWrite, ownId } = use(ReaderContext);
  const isOwn = ownId !== null && message.author?.id === ownId && message.content.trim() !== "";
  return (
    <>
      <span
        data-actions
        className="inline-flex opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:opacity-100"
      >
        <CopyButton text={message.content} />
        {canWrite && !message.mail && <IconButton label="Edit" icon={Pencil} disabled={isBusy} onClick={() => edit(message)} />}
        <ForkButton message={message} />
        {isOwn && (
          <IconButton
            label="Save as prompt"
            icon={BookmarkPlus}
            onClick={() => openManage("prompts", { kind: "new", from: message.content })}
          />
        )}
      </span>
      <VersionSwitch message={message} isBusy={isBusy} />
    </>
  );
}
