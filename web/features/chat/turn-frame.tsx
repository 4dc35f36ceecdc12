import type { CSSProperties, ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";

type TurnFrameProps = {
  messageId: string;
  /** Who speaks: 'You' or the model's name. */
  speaker: string;
  style?: CSSProperties | undefined;
  className?: string;
  children: ReactNode;
};

/** One turn: an article with its speaker as a heading. Turns out of view are not laid out; the padding keeps outlines from being cut off. */
export function TurnFrame({ messageId, speaker, style, className, children }: TurnFrameProps) {
  return (
    <article
      data-message={messageId}
      aria-label={speaker}
      style={style}
      className={cx(
        "group/turn -mx-16 px-16 [contain-intrinsic-size:auto_240px] [content-visibility:auto] print:[content-visibility:visible]",
        className,
      )}
    >
      <h2 className="sr-only">{speaker}</h2>
      {children}
    </article>
  );
}
