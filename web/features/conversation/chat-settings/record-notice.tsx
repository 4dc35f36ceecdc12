import { BookmarkX } from "lucide-react";
import { changeSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { Button } from "#web/ui/button.tsx";

/** Says above the composer's text that the chat to come is off the record. */
export function RecordNotice() {
  return (
    <div
      role="note"
      aria-label="Off the record"
      className="mb-10 flex min-h-36 items-center gap-10 rounded-12 bg-s3 px-12 py-4 text-13 text-ink2"
    >
      <BookmarkX aria-hidden className="size-16 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="font-medium text-ink">Off the record.</span> No memory is read in this chat, and none is saved.
      </span>
      <Button
        size="sm"
        variant="quiet"
        className="-mr-8"
        onClick={() => void changeSettings(null, { off_record: false }, "The chat was not changed")}
      >
        Turn off
      </Button>
    </div>
  );
}
