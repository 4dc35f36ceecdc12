import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const ImportRow = lazyPart<object>(async () => (await import("./import-row.tsx")).default);
const ExportRow = lazyPart<object>(async () => (await import("./export-row.tsx")).default);
const DeleteRow = lazyPart<object>(async () => (await import("./delete-row.tsx")).default);

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
