import { useState, type ComponentProps } from "react";
import { APP_NAME } from "#shared/app.ts";
import { IMPORT_SOURCES, type Import } from "#shared/imports/import.ts";
import { importSentence } from "#shared/imports/report.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useNewestImport } from "#web/features/account/imports/use-imports.ts";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import ExportRow from "./export-row.tsx";
import DeleteRow from "./delete-row.tsx";

/** What a person brings, takes along, and deletes. */
export default function YourDataPane() {
  return (
    <SubPane title="Your data" about="What you have here is yours: take it along, bring it from elsewhere, or delete it.">
      <div className="border-t border-line">
        <ErrorBoundary what="The import">
          <ImportRow />
        </ErrorBoundary>
        <ErrorBoundary what="The export">
          <ExportRow />
        </ErrorBoundary>
        <ErrorBoundary what="Deleting the account">
          <DeleteRow />
        </ErrorBoundary>
      </div>
    </SubPane>
  );
}

type DialogProps = ComponentProps<typeof import("#web/features/account/imports/import-dialog.tsx").default>;

const ImportDialog = lazyPart<DialogProps>(async () => (await import("#web/features/account/imports/import-dialog.tsx")).default);

const ABOUT = `From ChatGPT, Claude or ${APP_NAME}, with versions, dates and files.`;

/** The way to bring chats from elsewhere, and how that stands. */
function ImportRow() {
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

/** How an import stands, in a sentence for its row of the settings; null where there was none. */
function importStatusText(newest: Import | null): string | null {
  if (newest === null) return null;
  const { state, source, items, done } = newest;
  const whose = source === null ? "Your file" : `Your export of ${IMPORT_SOURCES[source]}`;
  switch (state) {
    case "uploading":
      return "A file is on its way.";
    case "ready":
      return `${whose} is ready to be imported.`;
    case "reading":
      return `${whose} is looked through.`;
    case "importing":
      return items === null ? "Importing." : `Importing: ${done.toLocaleString("en")} of ${items.toLocaleString("en")}.`;
    case "done":
      return `Last import: ${importSentence(newest.counts)}`;
    case "failed":
      return `The last import failed. ${newest.error ?? ""}`.trim();
    case "cancelled":
      return `The last import was cancelled. ${importSentence(newest.counts)}`;
  }
}
