import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails, ArtifactReview, ArtifactVersion } from "#shared/entities/artifact.ts";
import { type Decided, ReviewPane, type ReviewPaneProps } from "#web/features/library/artifact-history/review-pane.tsx";
import {
  type OpenedReview,
  resolveReview,
  saveReview,
  savedDecisions,
  savedTarget,
  markReviewed,
  openReview,
  type ReviewTarget,
} from "#web/features/library/artifact-history/review.ts";
import { AuthorMark, useAuthorName } from "#web/features/library/artifact-history/version-author.tsx";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { versionQuery } from "#web/features/library/artifacts/use-artifact.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import type { Saving } from "./saving.ts";
import type { TextSource } from "#web/features/library/artifacts/text-source.ts";

type ReviewOf = {
  artifact: ArtifactDetails;
  versions: readonly ArtifactVersion[];
  saving: Saving;
  source: TextSource;
  canEdit: boolean;
  isWide: boolean;
};

/** What was decided, in which review, and the version that it begins from. */
type Deciding = { decided: Decided; target: ReviewTarget; from: number };

/** What a model changed: a bar that says so, and the review itself, opened there or by `?review=` with a version's number. */
export function useReview({ artifact, versions, saving, source, canEdit, isWide }: ReviewOf): {
  shown: boolean;
  bar: ReactNode;
  pane: ReactNode;
} {
  const { id, reviewed_version: reviewed, review: savedReview } = artifact;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const wanted = Number(new URLSearchParams(search).get("review")) || null;
  const left = savedTarget(versions, savedReview);
  const waiting = openReview(versions, reviewed ?? 0) ?? (savedReview?.is_done === false ? left : null);
  /** The version that the last decision made and the one it came from: the next one begins from it. */
  const [base, setBase] = useState<{ of: number; version: number } | null>(null);
  const [former, setFormer] = useState<OpenedReview | null>(null);
  const current = resolveReview(former, { wanted, waiting, left, versions });
  if (current !== former) {
    setFormer(current);
    setBase(savedReview && isOf(savedReview, current?.target ?? null) ? { of: savedReview.version, version: savedReview.base } : null);
  }
  const target = current?.target ?? null;
  const after = useQuery({ ...versionQuery(id, target?.version.version ?? 1), enabled: target !== null });
  const before = useQuery({ ...versionQuery(id, target?.before.version ?? 1), enabled: target !== null });
  const open = (version: number) => void navigate(`${pathname}?review=${version}`);
  const close = () => {
    if (target) markReviewed(id, target.version.version);
    if (savedReview?.is_done === false && isOf(savedReview, target)) saveReview(id, { ...savedReview, is_done: true });
    void navigate(pathname, { replace: true });
  };
  const keep = ({ version, before: compared }: ReviewTarget, { decisions, isDone }: Decided, from: number) => {
    const decided = (wantedDecision: string) => [...decisions].flatMap(([index, decision]) => (decision === wantedDecision ? [index] : []));
    const versionsOf = { version: version.version, before: compared.version, base: from };
    saveReview(id, { ...versionsOf, accepted: decided("accepted"), rejected: decided("rejected"), is_done: isDone });
  };
  const save = useMutation({
    // By the time it is saved, another review may be open, or none: what it is of goes along.
    mutationFn: async ({ decided: { text }, from }: Deciding) => {
      if (text === null) return null;
      await saving.flush();
      const body = { content: text, base_version: from, is_review: true };
      return call(putArtifactContent, { params: { id }, body });
    },
    onSuccess: (saved, { decided, target: of, from }) => {
      keep(of, decided, saved?.version ?? from);
      if (!saved) return;
      const content = saved.content ?? decided.text ?? "";
      const next = { of: of.version.version, version: saved.version };
      setBase((last) => (last && last.of !== next.of ? last : next));
      showArtifact(id, { version: saved.version, updated_at: saved.updated_at, content });
      saving.arrived({ version: saved.version, content });
      markReviewed(id, of.version.version);
      void queryClient.invalidateQueries({ queryKey: keys.artifactVersions(id) });
    },
    onError: (error) => toastFailure("The decision was not saved", error),
  });
  const decide = (of: ReviewTarget): NonNullable<ReviewPaneProps["onChange"]> => {
    const { version } = of.version;
    return (decided, how) => save.mutate({ decided, target: of, from: base?.of === version ? base.version : version }, how);
  };
  return {
    shown: target !== null && after.data !== undefined && before.data !== undefined,
    bar: waiting && <ReviewBar version={waiting.version} canEdit={canEdit} onReview={() => open(waiting.version.version)} />,
    pane: target && after.data && before.data && (
      <ReviewPane
        key={`${target.before.version} ${target.version.version}`}
        before={before.data.content}
        after={after.data.content}
        title={<ChangedBy version={target.version} />}
        isWide={isWide}
        initial={savedReview && isOf(savedReview, target) ? savedDecisions(savedReview) : undefined}
        onChange={canEdit ? decide(target) : null}
        isSaving={save.isPending}
        onDone={() => {
          close();
          source.read();
        }}
      />
    ),
  };
}

/** True for what was kept of the review of these two versions. */
function isOf({ version, before }: ArtifactReview, target: ReviewTarget | null): boolean {
  return version === target?.version.version && before === target.before.version;
}

function ReviewBar({ version, canEdit, onReview }: { version: ArtifactVersion; canEdit: boolean; onReview: () => void }) {
  return (
    <div
      data-print="hide"
      className="flex min-h-44 shrink-0 items-center gap-12 border-t border-line bg-s2 px-16 py-4 text-13 text-ink2 desk:px-24"
    >
      <ChangedBy version={version} />
      <Button size="sm" variant="primary" className="ml-auto" onClick={onReview}>
        {canEdit ? "Review" : "See changes"}
      </Button>
    </div>
  );
}

function ChangedBy({ version }: { version: ArtifactVersion }) {
  const author = useAuthorName(version);
  return (
    <span className="inline-flex min-w-0 items-center gap-10">
      <AuthorMark author={version} />
      <span className="min-w-0">
        <span className="font-medium text-ink">{author}</span>
        {` changed this artifact`}
        {version.chat_id !== null && (
          <>
            {" from "}
            <Link
              to={`/c/${version.chat_id}${version.message_id === null ? "" : `?message=${version.message_id}`}`}
              className="underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              a chat
            </Link>
          </>
        )}
      </span>
    </span>
  );
}
