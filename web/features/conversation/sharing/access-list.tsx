import { useState } from "react";
import type { ShareLevel, Shares } from "#shared/entities/share.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { shareCountLabel, isSame, type ShareRow, toRows, withRemoved } from "#web/features/people/sharing/share-people.ts";
import { AccessRow, rowClass } from "#web/features/people/sharing/access-row.tsx";
import { usePeople } from "./use-people.ts";
import { useShareTeams } from "#web/features/people/sharing/use-share-teams.ts";
import { useRemoveShare, useShareChat } from "./use-shares.ts";

type AccessListProps = { chatId: string; shares: Shares; isOwner: boolean; mayShare: boolean };

/** Who reaches the chat; those who may share change it here, each row at once and with Undo. */
export function AccessList({ chatId, shares, isOwner, mayShare }: AccessListProps) {
  const { user } = useSession();
  const teams = useShareTeams().data?.teams ?? [];
  const [removed, setRemoved] = useState<{ row: ShareRow; at: number }[]>([]);
  const share = useShareChat(chatId);
  const remove = useRemoveShare(chatId);
  const rows = withRemoved(toRows(shares, { ownId: user?.id ?? null, teams }), removed);
  const people = usePeople(chatId);
  const busy = share.isPending || remove.isPending;
  // A team is let in by its own members alone, so who is not one of them cannot take its removal back.
  const mayUndo = ({ key }: ShareRow) => key !== null && ("email" in key || teams.some(({ id }) => id === key.teamId));

  const shareWith = (row: ShareRow, level: ShareLevel, onSuccess?: () => void) => {
    if (row.key === null) return;
    // An invitation that was taken back is mailed again; one that stands only changes its level.
    const invite = row.isPending && onSuccess !== undefined;
    const input = "email" in row.key ? { type: "user" as const, ...row.key, invite } : { type: "team" as const, ...row.key };
    const onError = (error: Error) => toast({ title: "Failed to share chat", description: error.message, tone: "danger" });
    share.mutate({ ...input, permissionLevel: level }, { onError, ...(onSuccess && { onSuccess }) });
  };
  const onRemove = (row: ShareRow, at: number) =>
    remove.mutate(
      { kind: row.kind, shareId: row.id },
      {
        onSuccess: () => setRemoved((held) => [...held.filter((other) => !isSame(other.row, row)), { row, at }]),
        onError: (error) =>
          toast({
            title: row.kind === "user" ? "Failed to remove access" : "Failed to remove team access",
            description: error.message,
            tone: "danger",
          }),
      },
    );
  return (
    <section aria-label="People with access" className="mt-24">
      <div className="flex h-28 items-center justify-between">
        <h3 className="text-13 font-medium text-ink">People with access</h3>
        <span className="text-12 text-ink2 tabular-nums">{shareCountLabel(shares)}</span>
      </div>
      <ul>
        <li className={rowClass}>
          <Avatar name={shares.creator.displayName} image={people[0]?.profile_image ?? null} size={32} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-14 font-medium text-ink">
              {shares.creator.displayName}
              {isOwner && <span className="font-normal text-ink2"> (you)</span>}
            </p>
            <p className="truncate text-12 text-ink2">{shares.creator.email}</p>
          </div>
          <span className="w-88 pl-8 text-13 text-ink2 max-[520px]:w-auto">Owner</span>
          {mayShare && <span aria-hidden className="-mr-8 size-32 max-[520px]:hidden touch:size-44" />}
        </li>
        {rows.map((row, at) => (
          <AccessRow
            key={`${row.kind}:${row.id}`}
            row={row}
            image={people.find(({ id }) => id === row.userId)?.profile_image ?? null}
            busy={busy}
            onLevel={mayShare ? (level) => shareWith(row, level) : null}
            onRemove={() => onRemove(row, at)}
            onUndo={
              mayUndo(row)
                ? () => shareWith(row, row.level, () => setRemoved((held) => held.filter((other) => !isSame(other.row, row))))
                : null
            }
          />
        ))}
      </ul>
    </section>
  );
}
