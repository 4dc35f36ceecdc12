import { useRef } from "react";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { cx } from "#web/ui/cx.ts";
import { focusAfter } from "#web/ui/focus-after.ts";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";

type RenameFieldProps = {
  title: string;
  /** Called once, with the new title, or with null when nothing is to change. */
  onDone: (title: string | null) => void;
  /** A selector of what stands in its place afterwards and takes the focus. */
  focusAfterwards: string;
  className?: string;
};

/** A title being edited in place: Enter and leaving it save, Escape cancels, an empty title is not taken. */
export function RenameField({ title, onDone, focusAfterwards, className }: RenameFieldProps) {
  const done = useRef(false);
  const finish = (next: string | null) => {
    if (done.current) return;
    done.current = true;
    const plain = plainName(next ?? "");
    onDone(plain === "" || plain === title ? null : plain);
  };
  return (
    <input
      aria-label="Chat title"
      defaultValue={title}
      maxLength={CHAT_TITLE_LENGTH}
      ref={focusOnMount}
      autoComplete="off"
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        const { value } = event.currentTarget;
        focusAfter(() => finish(event.key === "Enter" ? value : null), focusAfterwards);
      }}
      className={cx("min-w-0 rounded-6 bg-s2 text-ink", className)}
    />
  );
}
