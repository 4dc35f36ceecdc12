import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { cx } from "#web/ui/cx.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { KnowledgeForm } from "./knowledge-form.tsx";
import type { KnowledgeDialogProps, Pane } from "./pane.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useKnowledge, useKnowledgeEntry } from "./use-knowledge.ts";
import { BookOpen, Pencil, Plus, Trash2 } from "lucide-react";
import type { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_ARTIFACTS_SHOWN, KNOWLEDGE_FILES_SHOWN } from "#shared/limits.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { Badge } from "#web/ui/badge.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useDeleteKnowledge } from "./use-change-knowledge.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

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

/** An entry as it is now, to be changed. */
function EditedKnowledge({ id, onLeave }: { id: string; onLeave: () => void }) {
  const { data, isError, isFetching, refetch } = useKnowledgeEntry(id);
  if (data) return <KnowledgeForm key={data.id} entry={data} onLeave={onLeave} onMade={() => undefined} />;
  if (isError && !isFetching) {
    return (
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 pt-20 text-13 text-ink2">
        <p role="alert">This knowledge could not be loaded.</p>
        <TryAgain onClick={() => void refetch()} />
        <Button size="sm" variant="quiet" onClick={onLeave}>
          Back
        </Button>
      </div>
    );
  }
  return (
    <div aria-busy className="space-y-16 px-24 pt-24">
      <Skeleton className="h-20 w-1/3" />
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-192 w-full" />
    </div>
  );
}

/** All knowledge, and the way to more. */
function KnowledgeList({ onPane }: { onPane: (pane: Pane) => void }) {
  const { entries, data, isError, isFetching, refetch } = useKnowledge();
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-8">
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <Item entry={entry} onEdit={() => onPane({ kind: "edit", id: entry.id })} />
            </li>
          ))}
        </ul>
        {!data && !(isError && !isFetching) && <RowSkeletons label="Loading knowledge..." className="h-48 px-24" />}
        {!data && isError && !isFetching && (
          <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 py-8 text-13 text-ink2">
            <output>Knowledge could not be loaded.</output>
            <TryAgain onClick={() => void refetch()} />
          </div>
        )}
        {data && entries.length === 0 && (
          <p className="max-w-480 px-24 py-8 text-13 text-ink2">
            You have no knowledge yet. Write down what your chats should know, and add the files that it stands in.
          </p>
        )}
      </div>
      <div className="flex shrink-0 items-center border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24 desk:pb-12">
        <Button onClick={() => onPane({ kind: "new", from: "" })}>
          <Plus aria-hidden className="size-16" />
          Create New Knowledge
        </Button>
      </div>
    </>
  );
}

function Item({ entry, onEdit }: { entry: KnowledgeSummary; onEdit: () => void }) {
  const { rights } = useContentRights()(entry);
  const remove = useDeleteKnowledge();
  const parts = [
    ...entry.user_context_files.map(({ id, file_name: name }) => ({ id, name })),
    ...entry.artifacts.map(({ artifact_id: id, title: name }) => ({ id, name })),
  ];
  const more = Math.max(0, entry.files_count - KNOWLEDGE_FILES_SHOWN) + Math.max(0, entry.artifacts_count - KNOWLEDGE_ARTIFACTS_SHOWN);
  const [isAsking, setIsAsking] = useState(false);
  const deleteIt = () => {
    setIsAsking(false);
    remove.mutate(entry.id);
  };
  return (
    <div className="group mx-12 flex items-start gap-12 rounded-8 px-12 py-10 hover:bg-highlight">
      <BookOpen aria-hidden className="mt-4 size-16 shrink-0 text-ink2" />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-8">
          <button type="button" onClick={onEdit} className="min-w-0 truncate rounded-6 text-left text-14 font-medium text-ink">
            {entry.name}
          </button>
          <TeamBadge teamId={entry.team_id} />
        </div>
        {entry.preview !== "" && <p className="truncate text-13 text-ink2">{entry.preview}</p>}
        {parts.length > 0 && (
          <p className="mt-4 flex flex-wrap gap-6">
            {parts.map(({ id, name }) => (
              <Badge key={id} className="max-w-200 shrink!">
                <span className="truncate">{name}</span>
              </Badge>
            ))}
            {more > 0 && <Badge>{`+${more} more`}</Badge>}
          </p>
        )}
      </div>
      <IconButton
        label={`${rights.edit ? "Edit" : "Look at"} ${entry.name}`}
        tooltip={rights.edit ? "Edit" : "Look at"}
        icon={Pencil}
        size="sm"
        onClick={onEdit}
      />
      {rights.delete && (
        <IconButton label={`Delete ${entry.name}`} tooltip="Delete" icon={Trash2} size="sm" onClick={() => setIsAsking(true)} />
      )}
      <ConfirmDialog open={isAsking} onOpenChange={setIsAsking} title="Delete this knowledge?" confirm="Delete" onConfirm={deleteIt}>
        <strong className="font-medium break-words text-ink">{entry.name}</strong> and its files are deleted for good.
      </ConfirmDialog>
    </div>
  );
}
