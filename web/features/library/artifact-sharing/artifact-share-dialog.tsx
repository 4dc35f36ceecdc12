import { Check, Link2 } from "lucide-react";
import { useState } from "react";
import type { Artifact } from "#shared/entities/artifact.ts";
import type { ShareLevel, Shares } from "#shared/entities/share.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { InviteQuestion } from "#web/features/people/sharing/invite-question.tsx";
import { SHARE_LEVELS } from "#web/features/people/sharing/share-levels.ts";
import { shareCountLabel, toRows } from "#web/features/people/sharing/share-people.ts";
import { AccessRow, rowClass } from "#web/features/people/sharing/access-row.tsx";
import { useShareTeams } from "#web/features/people/sharing/use-share-teams.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";
import { listArtifactShares, removeArtifactShare, removeArtifactTeamShare, shareArtifact } from "#shared/contracts/artifacts.ts";
import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { keys, setAnswer } from "#web/lib/query.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

const InvitesDialog = lazyPart(async () => (await import("#web/features/people/invites/invites-dialog.tsx")).default);

type ArtifactShareDialogProps = { artifact: Artifact; open: boolean; onOpenChange: (open: boolean) => void };

/** Shares an artifact with people and teams to read or to write in, and says who reaches it; for its owner alone. */
export default function ArtifactShareDialog({ artifact, open, onOpenChange }: ArtifactShareDialogProps) {
  const { data, isError, error, refetch } = useArtifactShares(artifact.id, open);
  const { state, copy } = useCopy();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share artifact"
      subtitle={<span className="line-clamp-2">{artifact.title}</span>}
      width={620}
      footer={
        <>
          <Button variant="quiet" className="-ml-14" onClick={() => copy(`${location.origin}${artifactPath(artifact.id)}`)}>
            {state === "copied" ? <Check aria-hidden className="size-14" /> : <Link2 aria-hidden className="size-14" />}
            {state === "copied" ? "Copied" : "Copy link"}
          </Button>
          <span className="mr-auto hidden text-12 text-ink2 desk:inline">Opens only for people listed here</span>
          <Button className="ml-auto" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        </>
      }
    >
      <ShareWith id={artifact.id} shares={data} />
      {data ? (
        <Access id={artifact.id} shares={data} />
      ) : isError ? (
        <div role="alert" className="mt-24 flex items-center gap-12 text-14 text-ink2">
          <p className="min-w-0 flex-1">{`Who reaches this artifact could not be loaded. ${error.message}`}</p>
          <TryAgain onClick={() => void refetch()} />
        </div>
      ) : (
        <div aria-busy className="mt-24 space-y-16">
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-32 w-full" />
        </div>
      )}
    </Dialog>
  );
}

/** Names whom to share with: an address, or one of one's teams. */
function ShareWith({ id, shares }: { id: string; shares: Shares | undefined }) {
  const teams = (useShareTeams().data?.teams ?? []).filter((team) => !shares?.teamShares.some(({ teamId }) => teamId === team.id));
  const [email, setEmail] = useState("");
  const [teamId, setTeamId] = useState("");
  const [level, setLevel] = useState<ShareLevel>("viewer");
  const [unknown, setUnknown] = useState<string | null>(null);
  /** Whose invitation is being written; it stays while the dialog closes. */
  const [invitation, setInvitation] = useState<{ email: string; open: boolean } | null>(null);
  const closeInvitation = () => setInvitation((held) => held && { ...held, open: false });
  const share = useShareArtifact(id);
  const address = email.trim();
  const invited = new Set((shares?.userShares ?? []).flatMap(({ pending, userEmail }) => (pending ? [userEmail] : [])));
  const isUnknown = share.error instanceof ApiError && share.error.code === "USER_NOT_FOUND";
  const submit = () => {
    if (share.isPending || (teamId === "" && address === "")) return;
    // Asked for once more, an invitation is mailed once more.
    if (teamId === "" && invited.has(address.toLowerCase())) return setUnknown(address);
    const input =
      teamId === ""
        ? ({ type: "user", email: address, permissionLevel: level } as const)
        : ({ type: "team", teamId, permissionLevel: level } as const);
    share.mutate(input, {
      onSuccess: () => {
        setEmail("");
        setTeamId("");
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === "USER_NOT_FOUND") setUnknown(address);
      },
    });
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="flex flex-wrap items-end gap-12">
          <TextField
            label="Email"
            hideLabel
            type="email"
            autoComplete="off"
            placeholder="name@example.com"
            value={email}
            disabled={teamId !== ""}
            onChange={(event) => setEmail(event.target.value)}
            className="min-w-200 grow-99 basis-0 max-[520px]:basis-full"
          />
          {teams.length > 0 && (
            <Select
              label="Team"
              value={teamId}
              options={[{ value: "", label: "Or a team", isPrompt: true }, ...teams.map((team) => ({ value: team.id, label: team.name }))]}
              onChange={setTeamId}
              className="w-136 max-desk:grow"
            />
          )}
          <Select label="May" value={level} options={SHARE_LEVELS} onChange={setLevel} className="w-108 max-desk:grow" />
          <Button
            type="submit"
            variant="primary"
            disabled={teamId === "" && address === ""}
            busy={share.isPending}
            className="max-desk:grow"
          >
            Share
          </Button>
        </div>
        {share.error && !isUnknown ? (
          <p role="alert" className="mt-8 text-13 text-danger">
            {share.error.message}
          </p>
        ) : (
          <p className="mt-8 text-12 text-ink2">Viewers read it. Editors also change its text; their models may, too.</p>
        )}
        <InviteQuestion
          what="artifact"
          email={unknown}
          isAgain={unknown !== null && invited.has(unknown.toLowerCase())}
          onCancel={() => setUnknown(null)}
          onInvite={() => {
            setUnknown(null);
            if (unknown !== null) setInvitation({ email: unknown, open: true });
          }}
        />
      </form>
      {/* Outside of the form, which would take its sending for its own. */}
      {invitation && (
        <InvitesDialog
          open={invitation.open}
          onOpenChange={(open) => !open && closeInvitation()}
          sharing={{ of: "artifact", id, email: invitation.email, level }}
          onMailed={() => {
            setEmail("");
            closeInvitation();
          }}
        />
      )}
    </>
  );
}

function Access({ id, shares }: { id: string; shares: Shares }) {
  const { user } = useSession();
  const share = useShareArtifact(id);
  const remove = useRemoveArtifactShare(id);
  const teams = useShareTeams().data?.teams ?? [];
  const rows = toRows(shares, { ownId: user?.id ?? null, teams });
  const onError = (error: Error) => toast({ tone: "danger", title: "Failed to share artifact", description: error.message });
  return (
    <section aria-label="People with access" className="mt-24">
      <div className="flex h-28 items-center justify-between">
        <h3 className="text-13 font-medium text-ink">People with access</h3>
        <span className="text-12 text-ink2 tabular-nums">{shareCountLabel(shares)}</span>
      </div>
      <ul>
        <li className={rowClass}>
          <Avatar name={shares.creator.displayName} size={32} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-14 font-medium text-ink">
              {shares.creator.displayName}
              <span className="font-normal text-ink2"> (you)</span>
            </p>
            <p className="truncate text-12 text-ink2">{shares.creator.email}</p>
          </div>
          <span className="w-88 pl-8 text-13 text-ink2 max-[520px]:w-auto">Owner</span>
          <span aria-hidden className="-mr-8 size-32 max-[520px]:hidden touch:size-44" />
        </li>
        {rows.map((row) => (
          <AccessRow
            key={`${row.kind}:${row.id}`}
            row={{ ...row, isRemoved: false }}
            image={null}
            busy={share.isPending || remove.isPending}
            onLevel={(level) => {
              if (row.key === null) return;
              const whom = "email" in row.key ? { type: "user" as const, ...row.key } : { type: "team" as const, ...row.key };
              share.mutate({ ...whom, permissionLevel: level }, { onError });
            }}
            onRemove={() => remove.mutate({ kind: row.kind, shareId: row.id }, { onError })}
            onUndo={null}
          />
        ))}
      </ul>
    </section>
  );
}

/** Who reaches an artifact; asked again each time the dialog opens. */
function useArtifactShares(id: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.artifactShares(id),
    queryFn: ({ signal }) => call(listArtifactShares, { params: { id } }, { signal }),
    enabled,
    staleTime: 0,
  });
}

function take(id: string, shares: Shares): Promise<void> {
  showArtifact(id, { is_shared: shares.userShares.length + shares.teamShares.length > 0 });
  return setAnswer(keys.artifactShares(id), shares);
}

/** Shares an artifact, or changes the level of a share. */
function useShareArtifact(id: string) {
  return useMutation({
    mutationFn: (body: ShareInput) => call(shareArtifact, { params: { id }, body }),
    onSuccess: (shares) => take(id, shares),
  });
}

/** Takes a share back. */
function useRemoveArtifactShare(id: string) {
  return useMutation({
    mutationFn: async ({ kind, shareId }: { kind: "user" | "team"; shareId: string }) => {
      await call(kind === "user" ? removeArtifactShare : removeArtifactTeamShare, { params: { id, shareId } });
      return call(listArtifactShares, { params: { id } });
    },
    onSuccess: (shares) => take(id, shares),
  });
}
