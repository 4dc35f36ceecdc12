import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef } from "react";
import { LONG_PASTE_LENGTH, MESSAGE_LENGTH } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { meaningOf } from "./composer-keys.ts";
import { useDraft } from "./drafts.ts";
import { useAdoptEarlyText } from "./early-text.ts";
import { SendButton } from "./send-button.tsx";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { useComposerFocus } from "./use-composer-focus.ts";
import { isTouchDevice } from "#web/lib/is-touch-device.ts";

type ComposerProps = {
  /** Whose draft this is: a chat's id, or `new`. */
  draftKey: string;
  /** The home screen's composer stands two lines high. */
  isRoomy: boolean;
  isStreaming: boolean;
  /** `ready` files can be sent without a word; `waiting` ones keep the message back. */
  files: "none" | "ready" | "waiting";
  onFiles: (files: File[]) => void;
  /** A text that would bury the message was pasted into it. */
  onLongPaste: (text: string) => void;
  onSend: (text: string) => void;
  onStop: () => void;
  onEditLast: () => void;
  /** What stands above the text: its files, and what there is to say about them. */
  above?: ReactNode;
  /** The pickers at the left of its bar. */
  children?: ReactNode;
};

/** Where messages are written: a draft, its pickers, and Send or Stop; while a reply streams, what is sent waits its turn. */
export function Composer({
  draftKey,
  isRoomy,
  isStreaming,
  files,
  onFiles,
  onLongPaste,
  onSend,
  onStop,
  onEditLast,
  above,
  children,
}: ComposerProps) {
  const [text, setText] = useDraft(draftKey);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  useComposerFocus(field, draftKey);

  const isEmpty = text.trim() === "";
  const isTooLong = text.length > MESSAGE_LENGTH;
  const canSend = (!isEmpty || files === "ready") && files !== "waiting" && !isTooLong;

  const send = () => {
    if (!canSend) return;
    onSend(text);
    if (!isTouchDevice()) field.current?.focus();
  };
  useAdoptEarlyText(field, { draftKey, text, send });
  const stop = () => {
    onStop();
    // The button goes with its reply: the focus must not go with it.
    if (!isTouchDevice()) field.current?.focus();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    // What office programs copy is a picture of the text too: the text is meant.
    if (pasted === "" && event.clipboardData.files.length > 0) {
      event.preventDefault();
      onFiles([...event.clipboardData.files]);
    } else if (pasted.length > LONG_PASTE_LENGTH) onLongPaste(pasted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode } = event;
    const { isComposing } = event.nativeEvent;
    const meaning = meaningOf(
      { key, shiftKey, altKey, ctrlKey, metaKey, isComposing, keyCode },
      { isTouch: isTouchDevice(), isEmpty: text === "" },
    );
    if (meaning === "none") return;
    event.preventDefault();
    if (meaning === "send") send();
    else onEditLast();
  };

  return (
    <div
      data-composer
      role="presentation"
      className="rounded-18 border border-line bg-s2 px-10 pt-12 pb-10 shadow-composer touch:px-8 touch:pb-4"
      // A press beside the text is meant for the text.
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        field.current?.focus();
      }}
    >
      {above}
      <textarea
        dir="auto"
        ref={field}
        aria-label="Message"
        aria-describedby={isTooLong ? "message-too-long" : undefined}
        aria-invalid={isTooLong || undefined}
        placeholder={isRoomy ? "Message, or press / for prompts" : "Message"}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        enterKeyHint={isTouchDevice() ? "enter" : "send"}
        className={cx(
          "block max-h-260 w-full resize-none overflow-y-auto overscroll-contain bg-transparent px-9 text-15 outline-none [field-sizing:content]",
          isRoomy ? "min-h-26 desk:min-h-52" : "min-h-26",
        )}
      />
      {isTooLong && (
        <p id="message-too-long" role="alert" className="px-9 pt-8 text-13 text-danger tabular-nums">
          {`This message has ${text.length.toLocaleString("en")} characters. Shorten it to ${MESSAGE_LENGTH.toLocaleString("en")}.`}
        </p>
      )}
      <div className="mt-11 flex items-center gap-4 max-[520px]:gap-2 touch:mt-4">
        <div className="flex min-w-0 flex-1 items-center gap-4 max-[520px]:gap-2">{children}</div>
        <SendButton isStreaming={isStreaming} canSend={canSend} onSend={send} onStop={stop} />
      </div>
    </div>
  );
}
