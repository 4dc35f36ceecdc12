import { ArrowUp, ListPlus } from "lucide-react";
import { type MouseEvent, type RefObject, useRef } from "react";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { cx } from "#web/ui/cx.ts";

/** Milliseconds in which a press is still meant for Send, which stood there before: the second click of a double click. */
const STOP_GUARD_MS = 500;

type SendButtonProps = { isStreaming: boolean; canSend: boolean; onSend: () => void; onStop: () => void };

/** Sends what is written; while a reply streams, stops it or lets what is written wait for it. */
export function SendButton({ isStreaming, canSend, onSend, onStop }: SendButtonProps) {
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
