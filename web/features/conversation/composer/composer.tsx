import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { ArrowUp, ListPlus } from "lucide-react";
import { LONG_PASTE_LENGTH, MESSAGE_LENGTH } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { meaningOf, isPrintable } from "./composer-keys.ts";
import { useDraft } from "./drafts.ts";
import { useAdoptEarlyText } from "./early-text.ts";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { isTouchDevice } from "#web/lib/device.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";

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

/** Milliseconds in which a press is still meant for Send, which stood there before: the second click of a double click. */
const STOP_GUARD_MS = 500;

type SendButtonProps = { isStreaming: boolean; canSend: boolean; onSend: () => void; onStop: () => void };

/** Sends what is written; while a reply streams, stops it or lets what is written wait for it. */
function SendButton({ isStreaming, canSend, onSend, onStop }: SendButtonProps) {
  const sentAt = useRef(-Infinity);
  if (isStreaming) {
    return (
      <>
        {canSend && (
          <Tooltip label="Add to queue" shortcut="Enter">
            <button
              type="button"
              aria-label="Add to queue"
              onClick={onSend}
              className="inline-flex size-32 shrink-0 items-center justify-center rounded-8 text-accent-soft-ink transition-colors duration-120 hover:bg-s3 touch:size-44"
            >
              <ListPlus aria-hidden className="size-18" />
            </button>
          </Tooltip>
        )}
        <StopButton sentAt={sentAt} onStop={onStop} />
      </>
    );
  }
  return (
    <Tooltip label="Send" shortcut="Enter">
      <button
        type="button"
        aria-label="Send"
        disabled={!canSend}
        onClick={() => {
          sentAt.current = performance.now();
          onSend();
        }}
        className="group inline-flex size-32 shrink-0 items-center justify-center touch:size-44"
      >
        <span
          className={cx(
            "inline-flex size-32 items-center justify-center rounded-8 transition-colors duration-120 touch:size-36",
            canSend ? "bg-accent text-accent-ink group-hover:bg-accent-hover" : "bg-s3 text-ink3",
          )}
        >
          <ArrowUp aria-hidden className="size-18" />
        </span>
      </button>
    </Tooltip>
  );
}

type StopButtonProps = { sentAt: RefObject<number>; onStop: () => void };

/** Quiet where an approval waits, as Approve is what to press then. */
function StopButton({ sentAt, onStop }: StopButtonProps) {
  const press = (event: MouseEvent) => {
    // A key was pressed on this very button, as the focus came here on purpose.
    const isByKey = event.detail === 0;
    if (isByKey || performance.now() - sentAt.current >= STOP_GUARD_MS) onStop();
  };
  return (
    <button
      type="button"
      aria-label="Stop"
      onClick={press}
      className="group inline-flex shrink-0 items-center justify-center rounded-8 text-13 font-medium touch:h-44 touch:max-[520px]:w-44"
    >
      <span className="inline-flex h-32 items-center gap-8 rounded-8 bg-accent px-10 text-accent-ink transition-colors duration-120 group-hover:bg-accent-hover touch:h-36 touch:px-13 [:root:has([data-waits])_&]:bg-s3 [:root:has([data-waits])_&]:text-ink">
        <span aria-hidden className="size-10 rounded-[2px] bg-current" />
        <span className="max-[520px]:hidden">Stop</span>
      </span>
    </button>
  );
}

/** Focuses the composer when a chat opens, and when someone starts typing with nothing focused. A touch keyboard is not opened unasked. */
function useComposerFocus(ref: RefObject<HTMLTextAreaElement | null>, chatKey: string): void {
  const shownFor = useRef<string | null>(null);
  useEffect(() => {
    if (shownFor.current === chatKey) return;
    shownFor.current = chatKey;
    if (!isTouchDevice() && isNothingFocused()) ref.current?.focus({ preventScroll: true });
  }, [ref, chatKey]);

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!event.defaultPrevented && isPrintable(event) && isNothingFocused()) ref.current?.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [ref]);
}

function isNothingFocused(): boolean {
  const focused = document.activeElement;
  return (focused === null || focused === document.body) && document.querySelector("[role=dialog]") === null;
}
