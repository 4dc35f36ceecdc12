import { ToolsPane } from "#web/features/tools/tools-pane.tsx";
import { TabHeading } from "./tab-heading.tsx";

/** What models may do besides writing. */
export function ToolsTab() {
  return (
    <div className="px-20 py-20 desk:px-24">
      <TabHeading title="Tools">Which tools new chats start with, and which of them models may use at all.</TabHeading>
      <div className="min-[768px]:mt-20">
        <ToolsPane />
      </div>
    </div>
  );
}
