import { type KeyboardEvent, useRef, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { meaningOf } from "#web/features/conversation/composer/composer-keys.ts";
import { clearDraft, useDraft } from "#web/features/conversation/composer/drafts.ts";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { isTouchDevice } from "#web/lib/device.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { Button } from "#web/ui/button.tsx";
import { edit } from "./change-turn.ts";
import { editing } from "./editing.ts";
import { useEditorFocus } from "./use-editor-focus.ts";
import { useNotifyFailure } from "./use-notify-failure.ts";

type MessageEditorProps = {
  message: Message;
  isBusy: boolean;
  /** The path that is shown does not lead through the message any more. */
  isOffPath: boolean;
};

/** Rewrites a message in its place; sending makes a branch, and Escape leaves everything as it was. */
export function MessageEditor({ message, isBusy, isOffPath }: MessageEditorProps) {
  const draftKey = `edit:${message.id}`;
  const [draft, setText] = useDraft(draftKey);
  const [isChanged, setIsChanged] = useState(false);
  const text = draft === "" && !isChanged ? message.content : draft;
  const { modelId } = useSelectedModel(message.chat_id);
  const notifyFailure = useNotifyFailure();
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  useEditorFocus(field, message.id);

  const close = () => editing.set(message.chat_id, null);
  const cancel = () => {
    clearDraft(draftKey);
    close();
  };
  const canSend = (text.trim() !== "" || message.attachments.length > 0) && text.length <= MESSAGE_LENGTH && !isBusy;
  const send = () => {
    if (!canSend) return;
    close();
    edit(message, text, modelId).then(
      () => clearDraft(draftKey),
      (error: unknown) => {
        // The branch is gone from the screen, its text is not: it is offered again.
        editing.set(message.chat_id, message);
        notifyFailure("Failed to send", error, modelId);
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode } = event;
    const { isComposing } = event.nativeEvent;
    if (key === "Escape" && !isComposing) return cancel();
    const meaning = meaningOf(
      { key, shiftKey, altKey, ctrlKey, metaKey, isComposing, keyCode },
      { isTouch: isTouchDevice(), isEmpty: false },
    );
    if (meaning !== "send") return undefined;
    event.preventDefault();
    return send();
  };
  return (
    <div className="rounded-14 border border-line-strong bg-s2 px-14 pt-9 pb-10">
      <textarea
        dir="auto"
        ref={field}
        aria-label="Edited text"
        rows={1}
        value={text}
        onChange={(event) => {
          setIsChanged(true);
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="block max-h-[50dvh] min-h-26 w-full resize-none bg-transparent text-15 outline-none [field-sizing:content]"
      />
      <div className="mt-10 flex items-center justify-end gap-8">
        <span role="status" className="mr-auto text-12 text-ink3">
          {isOffPath
            ? "Another version was chosen elsewhere. Your edit is still here, and saving leads to it."
            : "Saving sends it anew. The earlier version stays."}
        </span>
        <Button variant="quiet" size="sm" onClick={cancel}>
          Cancel
        </Button>
        <Button variant="primary" size="sm" disabled={!canSend} onClick={send}>
          Save
        </Button>
      </div>
    </div>
  );
}
