import { type FormEvent, useId, useState } from "react";
import { MEMORY_LENGTH } from "#shared/limits.ts";
import { isBlank } from "#shared/shown-text.ts";
import { Button } from "#web/ui/button.tsx";
import { focusOnMount } from "#web/ui/focus.ts";
import { fieldClass } from "#web/ui/text-field.tsx";

type MemoryFieldProps = {
  label: string;
  text: string;
  problem: string | null;
  isBusy: boolean;
  onCancel: () => void;
  onSave: (text: string) => void;
};

/** One fact as it is written, in the place of its row. */
export function MemoryField({ label, text: before, problem, isBusy, onCancel, onSave }: MemoryFieldProps) {
  const problemId = useId();
  const [text, setText] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBlank(text)) onSave(text.trim());
  };
  return (
    <form onSubmit={submit} className="py-8">
      <div className="flex min-h-40 flex-wrap items-center justify-end gap-8">
        <input
          ref={focusOnMount}
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : undefined}
          dir="auto"
          maxLength={MEMORY_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            onCancel();
          }}
          className={`${fieldClass} h-36 min-w-160 flex-1 text-14 max-[767px]:basis-full touch:h-44 touch:text-16`}
        />
        <Button size="sm" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={isBusy} disabled={isBlank(text)}>
          Save
        </Button>
      </div>
      {problem && (
        <p id={problemId} role="alert" className="mt-6 text-13 text-danger">
          {problem}
        </p>
      )}
    </form>
  );
}
