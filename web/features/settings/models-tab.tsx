import { AllowlistEditor } from "#web/features/models/allowlist-editor.tsx";
import { TabHeading } from "./tab-heading.tsx";

/** Which models appear in the selector. */
export function ModelsTab() {
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-16 min-[768px]:pt-20">
      <div className="px-20 min-[768px]:mb-16 desk:px-24">
        <TabHeading title="Models">Only the models you tick here appear in the selector. Auto is always among them.</TabHeading>
      </div>
      <AllowlistEditor />
    </div>
  );
}
