import { useRef } from "react";
import { FOLDER_NAME_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { cx } from "#web/ui/cx.ts";
import { focusOnMount } from "#web/ui/focus.ts";

type FolderNameFieldProps = {
  name: string;
  className?: string;
  /** Called once, with the new name, or with null when nothing is to change; `isByKey` where a key ended it. */
  onDone: (name: string | null, isByKey: boolean) => void;
};

/** A folder's name being written in its row: Enter and leaving it save, Escape cancels, an empty name is not taken. */
export function FolderNameField({ name, className, onDone }: FolderNameFieldProps) {
  const done = useRef(false);
  const finish = (next: string | null, isByKey: boolean) => {
    if (done.current) return;
    done.current = true;
    const plain = plainName(next ?? "");
    onDone(plain === "" || plain === name ? null : plain, isByKey);
  };
  return (
    <input
      aria-label="Folder name"
      placeholder="Folder name"
      defaultValue={name}
      maxLength={FOLDER_NAME_LENGTH}
      ref={focusOnMount}
      autoComplete="off"
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
        event.preventDefault();
        finish(event.key === "Enter" ? event.currentTarget.value : null, true);
      }}
      className={cx("min-w-0 flex-1 rounded-6 bg-s2 px-6 text-14 text-ink touch:text-16", className)}
    />
  );
}
