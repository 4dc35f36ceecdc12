import { useState } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { type Pane, paneFor, type PromptsDialogProps } from "./pane.ts";
import { LibraryMenu } from "./library-menu.tsx";
import { PromptPane } from "./prompt-pane.tsx";
import { PromptsList } from "./prompts-list.tsx";
import { usePrompts } from "./use-prompts.ts";

const SUBTITLE = "Type / in the composer to use one. What stands in {{braces}} is asked for first.";

/** 'Manage prompts': the list beside what is done with one of them; on phones one after the other. */
export default function PromptsPopup({ open, onOpenChange, start }: PromptsDialogProps) {
  const { user } = useSession();
  const { prompts, data } = usePrompts();
  const [begun, setBegun] = useState(start);
  const [wanted, setPane] = useState<Pane>(start?.pane ?? { kind: "idle" });
  const isMobile = useIsMobile();
  if (start !== begun) {
    setBegun(start);
    setPane(start?.pane ?? { kind: "idle" });
  }
  if (!user) return null;
  const pane = paneFor(wanted, data ? prompts.map(({ id }) => id) : null);
  const list = <PromptsList pane={pane} onPane={setPane} isWide={!isMobile} menu={<LibraryMenu />} />;
  const side = (
    <ErrorBoundary what="This prompt" resetKey={pane.kind === "edit" ? pane.id : pane.kind}>
      <PromptPane pane={pane} onPane={setPane} isWide={!isMobile} />
    </ErrorBoundary>
  );
  if (isMobile) {
    return (
      <Drawer
        open={open}
        onOpenChange={onOpenChange}
        side="bottom"
        title="Manage prompts"
        className="h-[calc(100dvh-var(--keyboard)-var(--safe-top)-24px)]"
      >
        {pane.kind === "idle" ? list : side}
      </Drawer>
    );
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Manage prompts" subtitle={SUBTITLE} width={1000} height={736} bare>
      <div className="flex min-h-0 w-full border-t border-line">
        <div className="flex w-396 min-w-0 shrink-0 flex-col border-r border-line">{list}</div>
        <div className="flex min-w-0 flex-1 flex-col">{side}</div>
      </div>
    </Dialog>
  );
}
