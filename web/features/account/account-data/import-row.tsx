import { useState, type ComponentProps } from "react";
import { APP_NAME } from "#shared/app.ts";
import { importStatusText } from "#web/features/account/imports/import-status-text.ts";
import { useNewestImport } from "#web/features/account/imports/use-imports.ts";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type DialogProps = ComponentProps<typeof import("#web/features/account/imports/import-dialog.tsx").default>;

const ImportDialog = lazyPart<DialogProps>(async () => (await import("#web/features/account/imports/import-dialog.tsx")).default);

const ABOUT = `From ChatGPT, Claude or ${APP_NAME}, with versions, dates and files.`;

/** The way to bring chats from elsewhere, and how that stands. */
export default function ImportRow() {
  const { newest, isError, retry } = useNewestImport();
  const [dialog, setDialog] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
      <LedgerRow
        label="Import chats"
        description={
          <span role="status" className="block tabular-nums">
            {importStatusText(newest) ?? ABOUT}
          </span>
        }
        error={isError ? "How your import stands could not be loaded." : null}
        retry={isError ? retry : undefined}
      >
        <Button size="sm" onClick={() => setDialog("open")}>
          {newest === null ? "Import" : "Open"}
        </Button>
      </LedgerRow>
      {dialog !== "unused" && <ImportDialog open={dialog === "open"} onOpenChange={(open) => setDialog(open ? "open" : "closed")} />}
    </>
  );
}
