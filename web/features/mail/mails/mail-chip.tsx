import { AtSign, Check, Copy } from "lucide-react";
import { useCopy } from "#web/lib/use-copy.ts";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { useMails } from "./use-mails.ts";

export type MailChipProps = { chatId: string };

/** The address of a chat that has mails, beside its title, to be copied. */
export default function MailChip(props: MailChipProps) {
  return useIsMobile() ? null : <Chip {...props} />;
}

function Chip({ chatId }: MailChipProps) {
  const { address } = useMails(chatId);
  const { state, copy } = useCopy();
  if (address === null) return null;
  const Icon = state === "copied" ? Check : Copy;
  return (
    <>
      <Tooltip label={state === "copied" ? "Copied" : "Copy the address of this chat"}>
        <button
          type="button"
          aria-label="Copy the address of this chat"
          onClick={() => copy(address)}
          className="ml-6 inline-flex h-28 min-w-0 shrink items-center gap-6 rounded-6 bg-s3 px-8 text-ink2 transition-colors duration-120 hover:bg-s4 hover:text-ink"
        >
          <AtSign aria-hidden className="size-14 shrink-0" />
          <span className="max-w-136 min-w-0 truncate font-mono text-12">{address.slice(0, address.indexOf("@"))}</span>
          <Icon aria-hidden className="size-14 shrink-0" />
        </button>
      </Tooltip>
      <output className="sr-only">
        {state === "copied" ? "Address copied" : state === "failed" ? "The address could not be copied" : ""}
      </output>
    </>
  );
}
