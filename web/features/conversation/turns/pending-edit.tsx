import { useRef } from "react";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { useDraft } from "#web/features/conversation/composer/drafts.ts";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { unlockAfterEditing, rewritingKey } from "#web/features/conversation/sending/editing-locks.ts";
import type { PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { useEditorFocus } from "#web/features/conversation/sending/use-editor-focus.ts";
import { Button } from "#web/ui/button.tsx";

/** Rewrites a message that the server does not have yet; until it is saved or cancelled neither it nor what follows it is sent. */
export function PendingEdit({ send }: { send: PendingSend }) {
  const { id, attachments = [] } = send;
  const [text, setText] = useDraft(rewritingKey(id));
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  useEditorFocus(field, id);
  const canSave = (text.trim() !== "" || attachments.length > 0) && text.length <= MESSAGE_LENGTH;
  const close = (content?: string) => {
    unlockAfterEditing(id, content);
    void sendQueued();
  };
  const save = () => {
    if (canSave) close(text);
  };
  return (
    <div className="rounded-14 border border-line-strong bg-s2 px-14 pt-9 pb-10">
      <textarea
        dir="auto"
        ref={field}
        aria-label="Edited text"
        rows={1}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey, nativeEvent }) => {
          if (nativeEvent.isComposing) return;
          if (key === "Escape") close();
          if (key === "Enter" && (ctrlKey || metaKey)) save();
        }}
        className="block max-h-[50dvh] min-h-26 w-full resize-none bg-transparent text-15 outline-none [field-sizing:content]"
      />
      <div className="mt-10 flex items-center justify-end gap-8">
        <span className="mr-auto text-12 text-ink3">It waits here until it is sent.</span>
        <Button variant="quiet" size="sm" onClick={() => close()}>
          Cancel
        </Button>
        <Button variant="primary" size="sm" disabled={!canSave} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
