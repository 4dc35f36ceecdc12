import { FileCode, Pin, Search, X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { KnowledgeArtifact } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_ARTIFACTS } from "#shared/limits.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { type ArtifactChoice, offeredOf, useArtifactChoices } from "./choose-artifacts.ts";
import { useAddArtifact, useRemoveArtifact } from "./use-change-knowledge.ts";

type KnowledgeArtifactsProps = {
  /** Null before the entry is saved: artifacts are added to what there is. */
  entryId: string | null;
  artifacts: readonly KnowledgeArtifact[];
  canEdit: boolean;
};

/** The artifacts of an entry, and those that can be added. */
export function KnowledgeArtifacts({ entryId, artifacts, canEdit }: KnowledgeArtifactsProps) {
  const isOn = useArtifactsOn() === "on";
  if (!isOn && artifacts.length === 0) return null;
  const canAdd = isOn && canEdit && entryId !== null && artifacts.length < KNOWLEDGE_ARTIFACTS;
  return (
    <section aria-label="Artifacts" className="mt-24">
      <div className="flex min-h-36 items-center gap-8">
        <h4 className="text-13 font-medium text-ink">Artifacts</h4>
        <span className="text-12 text-ink2 tabular-nums">{artifacts.length}</span>
      </div>
      {entryId !== null && artifacts.length > 0 && (
        <ul className="mt-4">
          {artifacts.map((artifact) => (
            <AttachedArtifact key={artifact.artifact_id} entryId={entryId} artifact={artifact} canEdit={canEdit} />
          ))}
        </ul>
      )}
      {entryId === null && <p className="text-13 text-ink2">Artifacts are added once the entry is saved.</p>}
      {canAdd && <Choices entryId={entryId} artifacts={artifacts} />}
    </section>
  );
}

type AttachedArtifactProps = { entryId: string; artifact: KnowledgeArtifact; canEdit: boolean };

function AttachedArtifact({ entryId, artifact: { artifact_id: id, title, preview, sync_status: status }, canEdit }: AttachedArtifactProps) {
  const remove = useRemoveArtifact();
  return (
    <li className="flex min-h-48 items-center gap-12 py-4">
      <FileCode aria-hidden className="size-16 shrink-0 text-ink2" />
      <span className="min-w-0 flex-1">
        <a href={artifactPath(id)} target="_blank" rel="noopener" title={title} className="block truncate text-14 text-ink hover:underline">
          {title}
        </a>
        <span className="block truncate text-12 text-ink2">{preview || "Empty"}</span>
      </span>
      <span role="status" className="shrink-0">
        {status === "pending" && <Badge tone="neutral">Pending</Badge>}
      </span>
      {canEdit && (
        <IconButton
          size="sm"
          label={`Remove ${title}`}
          tooltip="Remove"
          icon={X}
          onClick={() => !remove.isPending && remove.mutate({ id: entryId, artifactId: id })}
        />
      )}
    </li>
  );
}

function Choices({ entryId, artifacts }: { entryId: string; artifacts: readonly KnowledgeArtifact[] }) {
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const { data, isError } = useArtifactChoices(q);
  const add = useAddArtifact();
  const offered = offeredOf(data ?? [], artifacts);
  return (
    <>
      <div className="relative mt-8">
        <Search aria-hidden className="absolute top-1/2 left-10 size-16 -translate-y-1/2 text-ink2" />
        <input
          type="search"
          aria-label="Search artifacts"
          placeholder="Search artifacts..."
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter in a form's field would save the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          className={cx(fieldClass, "h-36 pl-36 text-14 touch:h-44 touch:text-16")}
        />
      </div>
      <ul aria-label="Artifacts to add" className="mt-4">
        {offered.map((choice) => (
          <Choice key={choice.id} choice={choice} onAdd={() => !add.isPending && add.mutate({ id: entryId, artifactId: choice.id })} />
        ))}
      </ul>
      {data && offered.length === 0 && (
        <p role="status" className="py-8 text-13 text-ink2">
          {q === "" ? "There are no artifacts to add." : "No artifact has these words."}
        </p>
      )}
      {isError && <p className="py-8 text-13 text-danger">Artifacts could not be loaded.</p>}
    </>
  );
}

function Choice({ choice: { title, preview, isPinned }, onAdd }: { choice: ArtifactChoice; onAdd: () => void }) {
  const Icon = isPinned ? Pin : FileCode;
  return (
    <li className="flex min-h-48 items-center gap-12 py-4">
      <Icon aria-hidden className="size-16 shrink-0 text-ink2" />
      <span className="min-w-0 flex-1">
        <span title={title} className="block truncate text-14 text-ink">
          {title}
        </span>
        <span className="block truncate text-12 text-ink2">{preview || "Empty"}</span>
      </span>
      <Button size="sm" aria-label={`Add ${title}`} onClick={onAdd}>
        Add
      </Button>
    </li>
  );
}
