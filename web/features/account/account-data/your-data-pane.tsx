import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import ImportRow from "./import-row.tsx";
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
