import { ManageDialog } from "#web/features/library/kit/manage-dialog.tsx";
import type { ManageProps } from "#web/features/library/kit/pane.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const PersonasPopup = lazyPart<ManageProps>(async () => (await import("./personas-popup.tsx")).default);
const WHY =
  "A persona is the standing instruction a chat begins with. Yours are kept with your account, so that every chat and device has them.";

export function PersonasDialog(props: ManageProps) {
  return <ManageDialog {...props} what="personas" why={WHY} Popup={PersonasPopup} />;
}
