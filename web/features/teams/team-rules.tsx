import { useId } from "react";
import type { Team } from "#shared/entities/team.ts";
import { Switch } from "#web/ui/switch.tsx";
import { useUpdateTeam } from "./use-teams.ts";

/** What a team's admins keep to themselves. */
export function TeamRules({ team }: { team: Team }) {
  return (
    <section aria-label="Rules" className="mt-24 border-t border-line pt-12">
      <Rule team={team} rule="members_restricted" label="Restricted members">
        Only admins see who is in the team.
      </Rule>
      <Rule team={team} rule="content_admin_only" label="Content by admins only">
        Members use what the team shares; admins alone create, edit and share it.
      </Rule>
    </section>
  );
}

type RuleProps = { team: Team; rule: "members_restricted" | "content_admin_only"; label: string; children: string };

function Rule({ team, rule, label, children }: RuleProps) {
  const note = useId();
  const update = useUpdateTeam(team.id);
  const isOn = (update.isPending ? update.variables[rule] : undefined) ?? team[rule];
  return (
    <div className="flex min-h-52 items-center gap-16 py-4">
      <div className="min-w-0 flex-1">
        <p aria-hidden className="text-14 text-ink">
          {label}
        </p>
        <p id={note} className="text-12 text-ink2">
          {children}
        </p>
      </div>
      <Switch
        label={label}
        aria-describedby={note}
        checked={isOn}
        onChange={(event) => !update.isPending && update.mutate({ [rule]: event.target.checked })}
      />
    </div>
  );
}
