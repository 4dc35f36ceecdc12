import { useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { useImport } from "./use-import.ts";

/** Picks an exported chat, shows how far it is, and says why where it cannot be imported; in Settings > General, which guests do not have. */
export function ImportChat() {
  const { progress, isBusy, error, start } = useImport();
  const input = useRef<HTMLInputElement>(null);
  const percent = Math.round(progress * 100);
  const failure = error !== null && !isBusy ? `Failed to import chat. ${error}` : null;
  return (
    <LedgerRow label="Import a chat" description="One that was exported as JSON, with its versions and without its files" error={failure}>
      <span role="status" className="text-13 text-ink2 tabular-nums">
        {isBusy && (percent < 100 ? `Sending… ${percent} %` : "Importing…")}
      </span>
      <Button size="sm" busy={isBusy} onClick={() => input.current?.click()}>
        Import chat
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) start(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </LedgerRow>
  );
}
