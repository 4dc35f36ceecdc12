import { use } from "react";
import type { Message } from "#shared/entities/message.ts";
import { late } from "#web/ui/late.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { editing } from "./editing.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import type { QuestionActionsProps } from "./question-actions.tsx";
import { ReaderContext } from "./reader-context.ts";
import { TurnFrame } from "./turn-frame.tsx";
import { UserBubble } from "./user-bubble.tsx";

// What is done with a turn can come when the turn is read.
const QuestionActions = lazyPart<QuestionActionsProps>(async () => (await import("./question-actions.tsx")).QuestionActions, ActionsSpace);
const MessageEditor = lazyPart(async () => (await late(import("./message-editor.tsx"))).MessageEditor);

/** A person's message: its text, and on hover, focus and touch what can be done with it. */
export function UserTurn({ message, isRecent, isBusy }: { message: Message; isRecent: boolean; isBusy: boolean }) {
  const isEdited = useKeyed(editing, message.chat_id) === message.id;
  const { ownId } = use(ReaderContext);
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
          <QuestionActions message={message} isBusy={isBusy} />
        </div>
        <div className="flex min-w-0 flex-col items-end touch:max-w-[87%]">
          {other !== null && <p className="mb-4 max-w-full truncate px-4 text-12 text-ink2">{other}</p>}
          <UserBubble content={message.content} attachments={message.attachments} />
        </div>
      </div>
    </TurnFrame>
  );
}

/** Holds the room of three buttons, so that a long message's lines stay as they are. */
function ActionsSpace() {
  return <span className="h-32 w-96 touch:h-44" />;
}
