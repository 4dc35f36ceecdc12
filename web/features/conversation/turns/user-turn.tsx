import { type CSSProperties, type PointerEvent, use, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { hueOf } from "#shared/hue.ts";
import type { OutsideMessageProps } from "#web/features/conversation/turns/outside-message.tsx";
import { usePeople } from "#web/features/conversation/sharing/use-people.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { loadAfterFirstText } from "#web/lib/first-text.ts";
import { shownCallEnd } from "#web/lib/phone-number.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { editing, isVersionOf } from "#web/features/conversation/sending/editing.ts";
import type { QuestionActionsProps } from "./question-actions.tsx";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { TurnFrame } from "./turn-frame.tsx";
import { UserBubble } from "./user-bubble.tsx";

// What is done with a turn can come when the turn is read.
const QuestionActions = lazyPart<QuestionActionsProps>(
  async () => (await loadAfterFirstText(() => import("./question-actions.tsx"))).QuestionActions,
  ActionsSpace,
);
const OutsideMessage = lazyPart<OutsideMessageProps>(
  async () => (await import("#web/features/conversation/turns/outside-message.tsx")).OutsideMessage,
  OutsideSpace,
);
const MessageEditor = lazyPart(async () => (await import("#web/features/conversation/sending/message-editor.tsx")).MessageEditor);

/** A person's message: its text, and on hover, focus and touch what can be done with it. */
export function UserTurn({ message, isRecent, isBusy }: { message: Message; isRecent: boolean; isBusy: boolean }) {
  const edited = useKeyed(editing, message.chat_id);
  const { ownId } = use(ReaderContext);
  const { author } = message;
  const other = author !== null && ownId !== null && author.id !== ownId ? author.display_name : null;
  const side = other === null ? "right" : "left";
  const { mail } = message;
  const [isTapped, setIsTapped] = useState(false);
  // A tap brings what can be done, another takes it away; a tap on a link, a picture or a button is meant for that.
  const tap = ({ pointerType, target }: PointerEvent) => {
    if (pointerType === "touch" && target instanceof Element && !target.closest("a, button")) setIsTapped(!isTapped);
  };
  const speaker = mail?.from_name ?? other ?? "You";
  if (edited !== null && isVersionOf(message, edited)) {
    return (
      <TurnFrame messageId={message.id} speaker={speaker} isRecent className="pb-14">
        <MessageEditor key={edited.id} message={edited} isBusy={isBusy} isOffPath={edited.id !== message.id} />
      </TurnFrame>
    );
  }
  return (
    <TurnFrame messageId={message.id} speaker={speaker} isRecent={isRecent} className="pb-14 touch:pb-24">
      {other !== null && author !== null && <Sender chatId={message.chat_id} id={author.id} name={other} />}
      <div
        className={cx(
          "flex items-end gap-6 touch:flex-col touch:gap-0",
          other === null ? "justify-end" : "justify-start touch:items-start",
        )}
      >
        <div className={cx("flex items-center pb-5 touch:order-2 touch:pb-0", other !== null && "order-2", !isTapped && "tap-only")}>
          <QuestionActions message={message} isBusy={isBusy} />
        </div>
        <div className="flex min-w-0 flex-col touch:max-w-[87%]" onPointerUp={tap}>
          {mail || message.messaging ? (
            <OutsideMessage message={message} side={side} />
          ) : (
            <UserBubble content={shownCallEnd(message.content)} attachments={message.attachments} side={side} />
          )}
        </div>
      </div>
    </TurnFrame>
  );
}

/** Who else wrote, in the colour that is theirs everywhere. */
function Sender({ chatId, id, name: nameThen }: { chatId: string; id: string; name: string }) {
  const person = usePeople(chatId).find((one) => one.id === id);
  const name = person?.display_name ?? nameThen;
  const style: CSSProperties & { "--hue": number } = { "--hue": hueOf(name) };
  return (
    <p className="mb-4 flex min-h-28 items-center gap-8 text-13 font-medium">
      <Avatar name={name} image={person?.profile_image ?? null} size={28} />
      <span style={style} className="hued truncate">
        {name}
      </span>
    </p>
  );
}

/** Holds the room of the buttons, so a long message's lines stay as they are. */
function ActionsSpace() {
  return <span className="h-32 w-128 touch:h-0" />;
}

/** Its words while the code comes that shows where they are from. */
function OutsideSpace({ message: { content, attachments }, side }: OutsideMessageProps) {
  return <UserBubble content={content} attachments={attachments} side={side} />;
}
