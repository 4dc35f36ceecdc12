import { useRef, useState } from "react";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { Button } from "#web/ui/button.tsx";

type QueueEditProps = {
  text: string;
  canBeEmpty: boolean;
  onChange: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
};

/** A waiting message's text, to be changed where it stands. */
export function QueueEdit({ text, canBeEmpty, onChange, onSave, onCancel }: QueueEditProps) {
  const [draft, setDraft] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  const canSave = canBeEmpty || draft.trim() !== "";
  return (
    <li className="flex flex-col gap-6 px-8 py-6 desk:flex-row desk:items-end">
      <textarea
        ref={field}
        dir="auto"
        // The person asked to write here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label="Edit queued message"
        rows={1}
        value={draft}
        onChange={({ target }) => {
          setDraft(target.value);
          onChange(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSave) onSave(draft);
        }}
        className="max-h-160 min-h-32 min-w-0 resize-none desk:flex-1 rounded-8 border border-line-strong bg-bg px-10 py-6 text-13 [field-sizing:content] touch:text-16"
      />
      <span className="flex shrink-0 justify-end gap-6">
        <Button size="sm" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" disabled={!canSave} onClick={() => onSave(draft)}>
          Save
        </Button>
      </span>
    </li>
  );
}
