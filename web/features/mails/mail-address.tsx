import { Check, Copy, Mail as MailIcon, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useCopy } from "#web/features/markdown/use-copy.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useNewAddress } from "./use-mails.ts";

/** Where the chat is written to: to be copied, or replaced by a new one. */
export function MailAddress({ chatId, address }: { chatId: string; address: string }) {
  const { state, copy } = useCopy();
  const renew = useNewAddress(chatId);
  const isCopied = state === "copied";
  const [isAsking, setIsAsking] = useState(false);
  const makeNew = () => {
    setIsAsking(false);
    renew.mutate(undefined, { onError: ({ message }) => toast({ title: message, tone: "danger" }) });
  };
  return (
    <div className="flex flex-wrap items-center gap-8">
      <span className="flex h-36 min-w-0 flex-1 items-center gap-8 rounded-8 border border-line bg-s1 px-12 max-desk:basis-full desk:max-w-440 touch:h-44">
        <MailIcon aria-hidden className="size-16 shrink-0 text-ink2" />
        <span data-address className="min-w-0 truncate font-mono text-13 text-ink" title={address}>
          {address}
        </span>
      </span>
      <Button onClick={() => copy(address)}>
        {isCopied ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
        {isCopied ? "Copied" : "Copy"}
      </Button>
      <Button variant="quiet" busy={renew.isPending} onClick={() => setIsAsking(true)}>
        <RefreshCw aria-hidden className="size-14" />
        New address
      </Button>
      <output className="sr-only">{isCopied ? "Address copied" : state === "failed" ? "The address could not be copied" : ""}</output>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Make a new address?"
        confirm="Make a new address"
        danger={false}
        onConfirm={makeNew}
      >
        Mail to the old one then comes back to its sender.
      </ConfirmDialog>
    </div>
  );
}
