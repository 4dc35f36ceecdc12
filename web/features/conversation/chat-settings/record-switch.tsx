import { BookmarkX } from "lucide-react";
import { changeSettings, useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

/** Takes the chat to come off the record before its first word, and back on it. */
export function RecordSwitch() {
  const { user, isGuest } = useSession();
  const isOff = useChatSettings(null).off_record === true;
  if (isGuest || user?.memory_enabled !== true) return null;
  return (
    <IconButton
      label="Off the record"
      tooltip={isOff ? "Back on the record" : "Begin off the record: no memory is read, and none is saved"}
      icon={BookmarkX}
      aria-pressed={isOff}
      className={cx(isOff && "bg-s3 text-ink")}
      onClick={() => void changeSettings(null, { off_record: !isOff }, "The chat was not changed")}
    />
  );
}
