import { BookOpen, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_ARTIFACTS_SHOWN, KNOWLEDGE_FILES_SHOWN } from "#shared/limits.ts";
import { ManageFooter } from "#web/features/library/kit/manage-footer.tsx";
import { ManageShell } from "#web/features/library/kit/manage-shell.tsx";
import { IDLE, type ManageProps, type Pane, usePane } from "#web/features/library/kit/pane.ts";
import { EntryPlaceholder, ListPlaceholder } from "#web/features/library/kit/placeholders.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { KnowledgeForm } from "./knowledge-form.tsx";
import { useDeleteKnowledge } from "./use-change-knowledge.ts";
import { useKnowledge, useKnowledgeEntry } from "./use-knowledge.ts";

/** 'Manage knowledge': its list, or one entry in its place. */
export default function KnowledgePopup({ open, onOpenChange, start }: ManageProps) {
  const { user } = useSession();
  const [pane, setPane] = usePane(start);
  if (!user) return null;
  return (
    <ManageShell
      open={open}
      onOpenChange={onOpenChange}
      title="Manage knowledge"
      subtitle="Texts and files that your chats answer from."
      width={960}
      height={700}
      drawerClass="h-[calc(100dvh-var(--safe-top)-24px)]"
      what="Knowledge"
      resetKey={pane.kind === "edit" ? pane.id : pane.kind}
      list={<KnowledgeList onPane={setPane} />}
      side={pane.kind === "idle" ? null : <KnowledgePane pane={pane} onPane={setPane} />}
    />
  );
}

type KnowledgePaneProps = { pane: Exclude<Pane, typeof IDLE>; onPane: (pane: Pane) => void };

function KnowledgePane({ pane, onPane }: KnowledgePaneProps) {
  const leave = () => onPane(IDLE);
  if (pane.kind === "edit") return <EditedKnowledge key={pane.id} id={pane.id} onLeave={leave} />;
  return (
    <KnowledgeForm key={`new ${pane.from}`} entry={null} from={pane.from} onLeave={leave} onMade={(id) => onPane({ kind: "edit", id })} />
  );
}

/** An entry as it is now, to be changed. */
function EditedKnowledge({ id, onLeave }: { id: string; onLeave: () => void }) {
  const query = useKnowledgeEntry(id);
  if (query.data) return <KnowledgeForm key={query.data.id} entry={query.data} onLeave={onLeave} onMade={() => undefined} />;
  return (
    <EntryPlaceholder query={query} failed="This knowledge could not be loaded.">
      <Button size="sm" variant="quiet" onClick={onLeave}>
        Back
      </Button>
    </EntryPlaceholder>
  );
}

/** All knowledge, and the way to more. */
function KnowledgeList({ onPane }: { onPane: (pane: Pane) => void }) {
  const { entries, data, ...query } = useKnowledge();
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
        {!data && <ListPlaceholder query={query} loading="Loading knowledge..." failed="Knowledge could not be loaded." rowClass="h-48" />}
        {data && entries.length === 0 && (
          <p className="max-w-480 px-24 py-8 text-13 text-ink2">
            You have no knowledge yet. Write down what your chats should know, and add the files that it stands in.
          </p>
        )}
      </div>
      <ManageFooter>
        <Button onClick={() => onPane({ kind: "new", from: "" })}>
          <Plus aria-hidden className="size-16" />
          Create New Knowledge
        </Button>
      </ManageFooter>
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
