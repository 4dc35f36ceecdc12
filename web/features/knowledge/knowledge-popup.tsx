import { useState } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { cx } from "#web/ui/cx.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { EditedKnowledge } from "./edited-knowledge.tsx";
import { KnowledgeForm } from "./knowledge-form.tsx";
import { KnowledgeList } from "./knowledge-list.tsx";
import type { KnowledgeDialogProps, Pane } from "./pane.ts";

const TITLE = "Manage knowledge";
const SUBTITLE = "Texts and files that your chats answer from.";

/** 'Manage knowledge': its list, or one entry in its place. */
export default function KnowledgePopup({ open, onOpenChange, start }: KnowledgeDialogProps) {
  const { user } = useSession();
  const [begun, setBegun] = useState(start);
  const [pane, setPane] = useState<Pane>(start?.pane ?? { kind: "list" });
  const isMobile = useIsMobile();
  if (start !== begun) {
    setBegun(start);
    setPane(start?.pane ?? { kind: "list" });
  }
  if (!user) return null;
  const leave = () => setPane({ kind: "list" });
  const edit = (id: string) => setPane({ kind: "edit", id });
  const shown = (
    <ErrorBoundary what="Knowledge" resetKey={pane.kind === "edit" ? pane.id : pane.kind}>
      {pane.kind === "list" && <KnowledgeList onPane={setPane} />}
      {pane.kind === "new" && <KnowledgeForm key={`new ${pane.from}`} entry={null} from={pane.from} onLeave={leave} onMade={edit} />}
      {pane.kind === "edit" && <EditedKnowledge key={pane.id} id={pane.id} onLeave={leave} />}
    </ErrorBoundary>
  );
  if (isMobile) {
    return (
      <Drawer open={open} onOpenChange={onOpenChange} side="bottom" title={TITLE} className="h-[calc(100dvh-var(--safe-top)-24px)]">
        {shown}
      </Drawer>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={TITLE}
      // An entry has a heading of its own.
      hideTitle={pane.kind !== "list"}
      subtitle={SUBTITLE}
      width={960}
      height={700}
      bare
    >
      <div className={cx("flex min-h-0 w-full flex-col", pane.kind === "list" && "border-t border-line")}>{shown}</div>
    </Dialog>
  );
}
