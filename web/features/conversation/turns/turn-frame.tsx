import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";

type TurnFrameProps = {
  messageId: string;
  /** Who speaks: 'You' or the model's name. */
  speaker: string;
  /** One of the latest turns: always laid out, as its height is measured and it is likely in view. */
  isRecent?: boolean;
  /** The answer to the question at the top of the window: high enough that it can stand there. */
  hasReserve?: boolean;
  className?: string;
  children: ReactNode;
};

/** The window's height without the question and the room around both. */
export const RESERVE = "min-h-[calc(100cqh-var(--question)-32px)]";

/** One turn: an article with its speaker as a heading. Turns out of view are not laid out; the padding keeps outlines from being cut off. */
export function TurnFrame({ messageId, speaker, isRecent = false, hasReserve = false, className, children }: TurnFrameProps) {
  return (
    <article
      data-message={messageId}
      aria-label={speaker}
      className={cx(
        // The browser remembers a turn's height from before it may be skipped only if asked to from the start.
        "group/turn -mx-16 px-16 [contain-intrinsic-size:auto_240px]",
        !isRecent && "[content-visibility:auto] print:[content-visibility:visible]",
        hasReserve && RESERVE,
        className,
      )}
    >
      <h2 className="sr-only">{speaker}</h2>
      {children}
    </article>
  );
}
