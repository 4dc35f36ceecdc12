import { ManageDialog } from "#web/features/library/kit/manage-dialog.tsx";
import type { ManageProps } from "#web/features/library/kit/pane.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const PromptsPopup = lazyPart<ManageProps>(async () => (await import("./prompts-with-settings.tsx")).default);
const WHY =
  "A prompt is what you ask again and again, with blanks to fill in. Yours are kept with your account, so that every chat and device has them.";

export function PromptsDialog(props: ManageProps) {
  return <ManageDialog {...props} what="prompts" why={WHY} Popup={PromptsPopup} />;
}
