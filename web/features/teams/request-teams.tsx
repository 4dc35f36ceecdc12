import { APP_NAME } from "#shared/app.ts";
import { doorWords } from "#shared/plan-words.ts";
import { WaitingPlan } from "#web/features/invites/waiting-plan.tsx";
import { InviteCodeForm } from "#web/features/invites/invite-code-form.tsx";

/** For people without the team plan who are in no team. */
export function RequestTeams({ operator }: { operator: string | null }) {
  const subject = encodeURIComponent(`Teams on ${APP_NAME}`);
  return (
    <div className="max-w-480 px-20 py-20 min-[768px]:pr-56 desk:pl-24">
      <WaitingPlan className="mb-16" />
      <h3 className="text-18 font-medium text-ink">Teams need the team plan</h3>
      <p className="mt-4 text-14 text-ink2">
        {doorWords("teams")} In a team, people share chats, personas and prompts with each other.{" "}
        {operator === null ? "Ask whoever runs this deployment for access." : "Ask for access and we will get in touch."} If somebody
        invited you to their team, open the link in their mail.
      </p>
      <InviteCodeForm />
      {operator !== null && (
        <a
          href={`mailto:${operator}?subject=${subject}`}
          className="mt-16 inline-flex h-36 items-center rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44 touch:text-14"
        >
          Request access
        </a>
      )}
    </div>
  );
}
