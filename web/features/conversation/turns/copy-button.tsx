import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";
import { copyText } from "#web/lib/copy-text.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";

/** Copies a message as it was written, markdown and all. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (await copyText(text)) setIsCopied(true);
    else toast({ title: "Failed to copy to clipboard", tone: "danger" });
  };
  return <IconButton label="Copy" tooltip={isCopied ? "Copied" : "Copy"} icon={isCopied ? Check : Copy} onClick={() => void copy()} />;
}
