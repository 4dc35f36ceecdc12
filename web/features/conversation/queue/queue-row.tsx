import { CornerDownRight, GripVertical, Paperclip, Pencil, SendHorizontal, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useState, useRef } from "react";
import type { QueuedMessage } from "#shared/entities/queued-message.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { Button } from "#web/ui/button.tsx";
import { editItem, removeItem, sendNow } from "./change-queue.ts";
import type { NoteEdit } from "./rescued-edits.ts";

type QueueRowProps = {
  chatId: string;
  item: QueuedMessage;
  /** Others' messages are shown, and only their authors change them. */
  isOwn: boolean;
  canMove: boolean;
  isDragged: boolean;
  handle: Pick<ComponentProps<"button">, "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel" | "onKeyDown">;
  /** Of the one message that waits alone: the way to pause it, as it has no head above it. */
  pause: ReactNode;
  noteEdit: NoteEdit;
};

/** One message that waits its turn, with what can be done about it. */
export function QueueRow({ chatId, item, isOwn, canMove, isDragged, handle, pause, noteEdit }: QueueRowProps) {
  const [isEditing, setIsEditing] = useState(false);
  const { id, content, attachments, chain, author } = item;
  const shown = content.trim() || attachments.map(({ name }) => name).join(", ");
  if (isEditing) {
    const end = () => {
      noteEdit(id, null);
      setIsEditing(false);
    };
    const save = (text: string) => {
      if (text !== content) editItem(chatId, id, text);
      end();
    };
    const note = (text: string) => noteEdit(id, text === content || text.trim() === "" ? null : text);
    return <QueueEdit text={content} canBeEmpty={attachments.length > 0} onChange={note} onSave={save} onCancel={end} />;
  }
  return (
    <li className={cx("group flex h-36 items-center gap-4 pr-4 text-13 touch:h-44", isDragged && "rounded-8 bg-s3")}>
      {isOwn && canMove ? (
        <button
          type="button"
          aria-label={`Move “${short(shown)}”`}
          title="Drag, or use the arrow keys"
          className="inline-flex h-full w-24 shrink-0 cursor-grab touch-none items-center justify-center text-ink3 hover:text-ink active:cursor-grabbing touch:w-32"
          {...handle}
        >
          <GripVertical aria-hidden className="size-14" />
        </button>
      ) : (
        <CornerDownRight aria-hidden className="mx-8 size-16 shrink-0 text-ink3" />
      )}
      {pause !== null && (
        <span aria-hidden className="mr-4 shrink-0 text-ink3 max-[520px]:hidden">
          Queued
        </span>
      )}
      <span className="min-w-0 flex-1 truncate text-ink">{shown}</span>
      {!isOwn && <span className="shrink-0 text-12 text-ink2">{author.display_name}</span>}
      {attachments.length > 0 && (
        <span className="inline-flex shrink-0 items-center gap-4 text-12 text-ink2 tabular-nums">
          <Paperclip aria-hidden className="size-12" />
          <span className="sr-only">Files: </span>
          {attachments.length}
        </span>
      )}
      {chain && <span className="shrink-0 px-4 text-12 text-ink2 tabular-nums">{`step ${chain.step} of ${chain.steps}`}</span>}
      {isOwn && (
        <>
          <IconButton label="Edit" icon={Pencil} size="sm" onClick={() => setIsEditing(true)} />
          <IconButton label="Send now" icon={SendHorizontal} size="sm" onClick={() => sendNow(chatId, id)} />
        </>
      )}
      {pause}
      {isOwn && <IconButton label="Remove" icon={X} size="sm" onClick={() => removeItem(chatId, id)} />}
    </li>
  );
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

type QueueEditProps = {
  text: string;
  canBeEmpty: boolean;
  onChange: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
};

/** A waiting message's text, to be changed where it stands. */
function QueueEdit({ text, canBeEmpty, onChange, onSave, onCancel }: QueueEditProps) {
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
