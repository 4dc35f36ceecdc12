import { ChevronRight, Plus } from "lucide-react";
import type { Team } from "#shared/entities/team.ts";
import { WaitingPlan } from "#web/features/invites/waiting-plan.tsx";
import { TabHeading } from "#web/features/settings/tab-heading.tsx";
import { cx } from "#web/ui/cx.ts";
import { Monogram } from "#web/ui/monogram.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { sizeWords } from "./team-words.ts";

/** Stands for the form of a team that is yet to be made. */
export const NEW_TEAM = "new";

type TeamListProps = {
  /** Null until they are known. */
  teams: readonly Team[] | null;
  chosen: string | null;
  mayMake: boolean;
  /** The person has no team plan: one may wait for approval. */
  isPlanless: boolean;
  /** The whole width is the list's; a row leads on. */
  isStepwise: boolean;
  onChoose: (id: string) => void;
};

const rowClass = "flex w-full items-center gap-12 rounded-8 px-8 text-left transition-colors duration-120";

/** One's teams, and the way to a new one. */
export function TeamList({ teams, chosen, mayMake, isPlanless, isStepwise, onChoose }: TeamListProps) {
  return (
    <nav
      id="teams"
      aria-label="Teams"
      aria-busy={teams === null}
      className={cx(
        "min-h-0 shrink-0 overflow-y-auto py-12",
        isStepwise ? "w-full px-10" : "w-248 border-r border-line px-8 max-[960px]:w-192",
      )}
    >
      {isStepwise && (
        <div className="px-8 pt-4 pb-12 max-[768px]:hidden">
          <TabHeading title="Teams">Share chats, personas and prompts with the people you work with.</TabHeading>
        </div>
      )}
      {teams?.length === 0 && <p className="px-10 py-8 text-13 text-ink2">You are not in a team yet.</p>}
      <ul className="space-y-2">
        {teams === null && SKELETONS.map((width) => <SkeletonRow key={width} width={width} />)}
        {teams?.map((team) => (
          <li key={team.id}>
            <button
              type="button"
              data-team={team.id}
              aria-current={team.id === chosen ? "page" : undefined}
              onClick={() => onChoose(team.id)}
              className={cx(rowClass, "min-h-52 py-6", team.id === chosen ? "bg-s4" : "hover:bg-s3")}
            >
              <Monogram name={team.name} size={28} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-14 font-medium text-ink">{team.name}</span>
                <span className="block text-12 text-ink2">{sizeWords(team)}</span>
              </span>
              {isStepwise && <ChevronRight aria-hidden className="size-16 shrink-0 text-ink2" />}
            </button>
          </li>
        ))}
        {teams && mayMake && (
          <li>
            <button
              type="button"
              data-team={NEW_TEAM}
              aria-current={chosen === NEW_TEAM ? "page" : undefined}
              onClick={() => onChoose(NEW_TEAM)}
              className={cx(
                rowClass,
                "h-44 text-14 font-medium text-ink2 hover:text-ink",
                chosen === NEW_TEAM ? "bg-s4 text-ink" : "hover:bg-s3",
              )}
            >
              <span className="inline-flex size-28 shrink-0 items-center justify-center">
                <Plus aria-hidden className="size-16" />
              </span>
              New team
            </button>
          </li>
        )}
      </ul>
      {isPlanless && <WaitingPlan className="mx-2 mt-12" />}
    </nav>
  );
}

const SKELETONS = ["w-108", "w-120"] as const;

function SkeletonRow({ width }: { width: string }) {
  return (
    <li className="flex h-52 items-center gap-12 px-8">
      <Skeleton className="size-28 shrink-0 rounded-8" />
      <span className="min-w-0 space-y-6">
        <Skeleton className={`h-12 max-w-full ${width}`} />
        <Skeleton className="h-10 w-80 max-w-full" />
      </span>
    </li>
  );
}
