import { ManageDialog } from "#web/features/library/kit/manage-dialog.tsx";
import type { ManageProps } from "#web/features/library/kit/pane.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const KnowledgePopup = lazyPart<ManageProps>(async () => (await import("./knowledge-popup.tsx")).default);
const WHY = "Knowledge is what your chats should know: texts and files that answers are drawn from. It is kept with your account.";

export function KnowledgeDialog(props: ManageProps) {
  return <ManageDialog {...props} what="knowledge" why={WHY} Popup={KnowledgePopup} />;
}
