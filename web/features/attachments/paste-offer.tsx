import { ClipboardPaste, X } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";

type PasteOfferProps = { characters: number; onAccept: () => void; onDismiss: () => void };

/** Offers to turn a long pasted text into a file, which leaves the message readable. */
export function PasteOffer({ characters, onAccept, onDismiss }: PasteOfferProps) {
  return (
    <div role="status" className="mb-10 flex items-center gap-10 rounded-12 bg-s3 py-6 pr-6 pl-12 text-13 text-ink">
      <ClipboardPaste aria-hidden className="size-16 shrink-0 text-ink2" />
      <p className="min-w-0 flex-1 py-4 tabular-nums">{`You pasted ${characters.toLocaleString("en")} characters.`}</p>
      <Button size="sm" variant="outline" onClick={onAccept}>
        Attach as text
      </Button>
      <IconButton label="Keep in the message" icon={X} size="sm" onClick={onDismiss} />
    </div>
  );
}
