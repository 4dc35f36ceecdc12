import { Mail } from "lucide-react";
import { MAILS_COUNTED } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";

export type MailCounterProps = { count: number; onOpen: () => void };

/** How many mails a chat has, and the way to them; on phones, whose bar has no room for it, the menu has that way. */
export default function MailCounter({ count, onOpen }: MailCounterProps) {
  if (useIsMobile()) return null;
  const text = count < MAILS_COUNTED ? String(count) : `${MAILS_COUNTED - 1}+`;
  return (
    <Button
      variant="quiet"
      size="sm"
      className="px-10 font-normal tabular-nums"
      aria-label={`Emails, ${text}`}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <Mail aria-hidden className="size-16" />
      {text}
    </Button>
  );
}
