import { Plus, Settings2 } from "lucide-react";
import type { User } from "#shared/entities/user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { type SettingsPlace, useSettings } from "#web/features/people/settings/use-settings.ts";
import { setDrawerOpen } from "#web/features/conversation/list-state/sidebar-state.ts";
import { sizeLabel } from "#web/features/people/teams/team-labels.ts";
import { MenuChoice, MenuChoiceAction, MenuChoices, MenuGroup } from "#web/ui/menu/menu-choice.tsx";
import { MenuSeparator } from "#web/ui/menu/menu.tsx";
import { allWorkspacesLabel, choiceFor } from "./settle-choice.ts";
import { useOwnTeams } from "./use-own-teams.ts";
import { setWorkspace, useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { WorkspaceTile } from "./workspace-tile.tsx";

/** The workspaces to choose from, and what leads to the teams themselves. */
export default function WorkspaceItems({ inDrawer, user }: { inDrawer: boolean; user: User }) {
  const { features } = useSession();
  const workspace = useWorkspace();
  const teams = useOwnTeams();
  const settings = useSettings();
  const openTeams = (place: SettingsPlace) => {
    setDrawerOpen(false);
    settings.open(place, { replace: inDrawer });
  };
  return (
    <>
      <MenuChoices
        value={workspace}
        onChange={(id) => {
          const to = id === "personal" || id === "all" ? id : teams.find((team) => team.id === id);
          if (to) setWorkspace(choiceFor(user.id, to));
        }}
      >
        <MenuChoice value="personal" label="Personal" note="Only you" tile={<WorkspaceTile id="personal" name="" user={user} />} />
        <MenuChoice value="all" label="All" note={allWorkspacesLabel(teams.length)} tile={<WorkspaceTile id="all" name="" user={user} />} />
        <MenuSeparator />
        <MenuGroup label="Teams">
          {teams.map((team) => (
            <MenuChoice
              key={team.id}
              value={team.id}
              label={team.name}
              note={sizeLabel(team)}
              tile={<WorkspaceTile id={team.id} name={team.name} user={user} />}
            />
          ))}
        </MenuGroup>
      </MenuChoices>
      <MenuSeparator />
      {(user.team_plan || features?.teamsForAll === true) && (
        <MenuChoiceAction icon={Plus} onClick={() => openTeams("new-team")}>
          New team
        </MenuChoiceAction>
      )}
      <MenuChoiceAction icon={Settings2} onClick={() => openTeams("teams")}>
        Manage teams
      </MenuChoiceAction>
    </>
  );
}
