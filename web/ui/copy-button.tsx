import { Check, Copy } from "lucide-react";
import { ToolbarButton } from "./toolbar-button.tsx";
import { useCopy } from "#web/lib/use-copy.ts";

const outcomes = { idle: undefined, copied: "Copied", failed: "Copy failed" };

/** Copies what `text` returns; says so in the button and to screen readers for two seconds. */
export function CopyButton({ label, name, text }: { label: string; name: string; text: () => string }) {
  const { state, copy } = useCopy();
  return (
    <>
      <ToolbarButton
        icon={state === "copied" ? Check : Copy}
        label={outcomes[state] ?? label}
        widest={label}
        name={outcomes[state] ?? name}
        onClick={() => copy(text())}
      />
      <output className="sr-only">{outcomes[state]}</output>
    </>
  );
}
