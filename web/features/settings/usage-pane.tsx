import { StorageView } from "#web/features/credits/storage-view.tsx";
import { UsageView } from "#web/features/credits/usage-view.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { SubPane } from "./sub-pane.tsx";

/** What was spent, and what the files take. */
export function UsagePane() {
  return (
    <SubPane title="Credits and usage">
      <div className="space-y-32">
        <ErrorBoundary what="The usage">
          <UsageView />
        </ErrorBoundary>
        <ErrorBoundary what="The storage">
          <StorageView />
        </ErrorBoundary>
      </div>
    </SubPane>
  );
}
