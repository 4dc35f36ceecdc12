import { ToolsPane } from "#web/features/tools/tools-pane.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { TabHeading } from "./tab-heading.tsx";

const Integrations = lazyPart(async () => (await import("#web/features/integrations/integrations.tsx")).Integrations);

/** What models may do besides writing. */
export function ToolsTab() {
  return (
    <div className="px-20 py-20 desk:px-24">
      <TabHeading title="Tools">Which tools new chats start with, and which of them models may use at all.</TabHeading>
      <div className="min-[768px]:mt-20">
        <ToolsPane />
      </div>
      <Integrations />
    </div>
  );
}
