import { useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useWorkspaceChoice, useWorkspaceTeam, type WorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { weekdayAndDate, partOfDay } from "#web/lib/format.ts";
import type { Features, User } from "#shared/entities/user.ts";
import { Monogram } from "#web/ui/monogram.tsx";
import { readersNote } from "#web/features/conversation/workspaces/settle-choice.ts";
import { useOwnTeams } from "#web/features/conversation/workspaces/use-own-teams.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { InboxSummaryProps } from "#web/features/conversation/home/inbox-summary.tsx";

/** What stands above the composer before a chat begins, on the composer's text edge. */
export function HomeGreeting() {
  const { user, status, features } = useSession();
  const [now] = useState(() => new Date());
  const choice = useWorkspaceChoice();
  const teamId = useWorkspaceTeam();
  const team = teamId === null ? null : choice;
  const invitation = features && invitationFor(features, user);
  return (
    <div className="mx-auto w-full max-w-792 px-20 pb-20 min-[600px]:px-28 desk:px-36">
      {team && <TeamGreeting workspace={team} />}
      {status === "user" && !team && (
        <p className="hidden h-26 font-serif text-15 text-ink3 italic desk:block">
          {/* Its letters are a face of their own, which the first screen does not wait for. */}
          <WhenIdle>{weekdayAndDate(now)}</WhenIdle>
        </p>
      )}
      {!team && <h1 className="font-serif text-28 break-words text-ink">{greetingFor(now, user)}</h1>}
      {/* Who may be a guest gets a line: its place is kept until that is known. */}
      {status === "loading" && !user && <p aria-hidden className="mt-6 min-h-52 desk:min-h-26" />}
      {invitation && <p className="mt-6 text-15 text-ink2">{invitation}</p>}
      {features?.demo && (
        <p className="mt-6 text-15 text-ink2">
          The built-in demo model answers here. Set <b className="font-medium">OPENROUTER_API_KEY</b> in{" "}
          <b className="font-medium">.dev.vars</b> to talk to real ones.
        </p>
      )}
      {/* Last, as its line is kept free: nothing moves when it comes, and without news no gap stands between the others. */}
      {status === "user" && !team && <LazyInboxSummary />}
    </div>
  );
}

/** A greeting for this time of day, with the first name of someone signed in. */
export function greetingFor(now: Date, user: User | null): string {
  const firstName = user && !user.anonymous ? user.display_name.trim().split(/\s+/)[0] : "";
  return firstName ? `Good ${partOfDay(now)}, ${firstName}` : `Good ${partOfDay(now)}`;
}

/** What the home screen says to someone who is not signed in; null when there is nothing to say. */
export function invitationFor(features: Features, user: User | null): string | null {
  if (user !== null && !user.anonymous) return null;
  const what = "One chat with every model, in one place.";
  const count = features.guestMessagesPerDay;
  if (!features.guests || count === 0) return `${what} Sign in to start.`;
  return `${what} ${count.toLocaleString("en")} free ${count === 1 ? "message" : "messages"} a day, without an account.`;
}

/** What stands above the composer in a team's workspace: whose it is, what is new in it, and who reads what begins here. */
function TeamGreeting({ workspace: { id, name, isClosed } }: { workspace: WorkspaceChoice }) {
  const team = useOwnTeams().find((own) => own.id === id);
  return (
    <>
      <h1 className="flex items-center gap-12 font-serif text-28 text-ink">
        <Monogram name={name} size={28} className="font-sans" />
        <span className="min-w-0 truncate">{name}</span>
      </h1>
      <LazyInboxSummary byPerson after={team ? readersNote(team.memberCount, isClosed) : null} />
    </>
  );
}

/** What waits, which comes after the first screen into the line that is kept free for it. */
const LazyInboxSummary = lazyPart<InboxSummaryProps>(
  async () => (await import("#web/features/conversation/home/inbox-summary.tsx")).InboxSummary,
  Space,
);

function Space() {
  return <p className="mt-6 min-h-52 desk:min-h-26" />;
}
