import { useRef, useState } from "react";
import { UNTITLED_ARTIFACT } from "#shared/artifacts.ts";
import type { Artifact } from "#shared/entities/artifact.ts";
import { ARTIFACT_TITLE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { changeArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { cx } from "#web/ui/cx.ts";

type ArtifactTitleProps = { artifact: Artifact; canEdit: boolean; isLarge: boolean };

/** The title, renamed in place. */
export function ArtifactTitle({ artifact, canEdit, isLarge }: ArtifactTitleProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  const look = cx("w-full font-serif text-ink", isLarge ? "text-28" : "text-21");
  if (!canEdit) return <h1 className={look}>{artifact.title}</h1>;
  const save = () => {
    setTyped(null);
    const title = typed === null ? artifact.title : plainName(typed);
    if (typed !== null && title !== artifact.title) void changeArtifact(artifact, { title: title || UNTITLED_ARTIFACT });
  };
  return (
    <h1 className="min-w-0">
      <span className="sr-only font-serif text-28 print:not-sr-only">{artifact.title}</span>
      {/* As many lines as it needs; it has no line breaks of its own. */}
      <textarea
        ref={field}
        aria-label="Title"
        data-print="hide"
        data-large
        rows={1}
        value={typed ?? artifact.title}
        maxLength={ARTIFACT_TITLE_LENGTH}
        onChange={(event) => setTyped(event.target.value.replaceAll("\n", " "))}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            setTyped(null);
            event.stopPropagation();
          }
          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
        className={cx(look, "-ml-6 block resize-none rounded-6 bg-transparent px-6 [field-sizing:content] hover:bg-s1 focus:bg-s1")}
      />
    </h1>
  );
}
