import { useQuery } from "@tanstack/react-query";
import { ChevronRight, FileText, Undo2 } from "lucide-react";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { refreshArtifacts } from "#web/features/library/artifacts/use-artifacts.ts";
import { versionQuery } from "#web/features/library/artifacts/use-artifact.ts";
import { call as callApi } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { DiffLines } from "./diff-lines.tsx";
import { compareTexts, countLines } from "./hunks.ts";

/** What a model did to an artifact: the way to it, and of a change its difference, Undo, and the review hunk by hunk. */
export function ArtifactCall({ call }: { call: ToolCall }) {
  const result = resultOf(call);
  if (!result) return null;
  const { id, title } = result;
  return (
    <div className="mb-10 rounded-12 border border-line bg-s2 text-13 desk:ml-26">
      <p className="flex min-h-44 flex-wrap items-center gap-x-10 gap-y-4 px-14 py-6">
        <FileText aria-hidden className="size-16 shrink-0 text-ink2" />
        <Link
          to={artifactPath(id)}
          className="min-w-0 flex-1 truncate font-medium text-ink underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {title}
        </Link>
        {result.before === null ? <span className="text-ink3">{`Version ${result.version}`}</span> : null}
      </p>
      {result.before !== null && <Change result={{ ...result, before: result.before }} />}
    </div>
  );
}

function Change({ result: { id, version, before } }: { result: ArtifactResult & { before: number } }) {
  const [isOpen, setIsOpen] = useState(false);
  const [state, setState] = useState<"done" | "busy" | "undone">("done");
  const panel = useId();
  const young = useQuery(versionQuery(id, version, true));
  const old = useQuery(versionQuery(id, before, true));
  const segments = young.data && old.data ? compareTexts(old.data.content, young.data.content) : null;
  const counts = segments && countLines(segments);
  const undo = async () => {
    if (!old.data || state !== "done") return;
    setState("busy");
    try {
      // From the model's version on: what others changed since is kept.
      const body = { content: old.data.content, base_version: version, is_review: true };
      await callApi(putArtifactContent, { params: { id }, body });
      setState("undone");
      refreshArtifacts();
      void queryClient.invalidateQueries({ queryKey: keys.artifact(id) });
      void queryClient.invalidateQueries({ queryKey: keys.artifactVersions(id) });
    } catch (error) {
      setState("done");
      toastFailure("The change was not undone", error);
    }
  };
  if (young.isError || old.isError) return null;
  return (
    <>
      <div className="flex min-h-40 flex-wrap items-center gap-8 border-t border-line px-8 py-4">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex h-28 items-center gap-6 rounded-8 px-6 text-ink2 hover:bg-s3 hover:text-ink touch:h-44"
        >
          <ChevronRight aria-hidden className={cx("size-14 transition-transform duration-120", isOpen && "rotate-90")} />
          {counts === null ? "Changes" : `${counts.added} added, ${counts.removed} removed`}
        </button>
        <span role="status" className="min-w-0 flex-1 text-12 text-ink3">
          {state === "undone" && "Undone"}
        </span>
        {state !== "undone" && (
          <Button size="sm" variant="quiet" busy={state === "busy"} disabled={!old.data} onClick={() => void undo()}>
            <Undo2 aria-hidden className="size-14" />
            Undo
          </Button>
        )}
        <Link
          to={`${artifactPath(id)}?review=${version}`}
          className="inline-flex h-32 items-center rounded-8 bg-accent-soft px-12 text-13 font-medium text-accent-soft-ink hover:bg-s4 touch:h-44"
        >
          Review
        </Link>
      </div>
      <div id={panel} hidden={!isOpen}>
        {isOpen &&
          (segments === null ? (
            <Skeleton className="m-14 h-60" />
          ) : (
            // What scrolls must be reachable.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <div tabIndex={0} role="region" aria-label="Changes" className="max-h-320 overflow-y-auto border-t border-line">
              <DiffLines segments={segments} />
            </div>
          ))}
      </div>
    </>
  );
}

/** What a tool of artifacts answered: which one it made or changed, and the version it was before. */
type ArtifactResult = { id: string; title: string; version: number; before: number | null };

const Changed = z.looseObject({
  artifact_id: z.string(),
  title: z.string(),
  version: z.number(),
  previous_version: z.optional(z.number()),
});

/** What came of a call that made or changed an artifact; null for any other. */
export function resultOf({ status, output }: Pick<ToolCall, "status" | "output">): ArtifactResult | null {
  if (status !== "done" || typeof output !== "string") return null;
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return null;
  }
  const parsed = Changed.safeParse(json);
  if (!parsed.success) return null;
  const { data } = parsed;
  return { id: data.artifact_id, title: data.title, version: data.version, before: data.previous_version ?? null };
}
