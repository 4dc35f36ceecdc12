import { useTeams } from "#web/features/people/teams/own-teams.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { teamsToGive } from "./use-content-rights.ts";

type TeamFieldProps = {
  value: string | null;
  /** False for another's, which an admin of its team changes. */
  isOwn: boolean;
  onChange: (teamId: string | null) => void;
  className: string;
};

/** Whose a persona or a prompt is; nothing to choose for who is in no team. */
export function TeamField({ value, isOwn, onChange, className }: TeamFieldProps) {
  const teams = teamsToGive(useTeams(true).data?.teams ?? [], value, isOwn);
  if (teams.length === 0) return null;
  const options = [
    { value: "", label: isOwn ? "Only me" : "Only its creator" },
    ...teams.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className={className}>
      <p aria-hidden className="mb-6 text-13 font-medium text-ink">
        Available to
      </p>
      <Select
        label="Available to"
        className="w-full"
        value={value ?? ""}
        options={options}
        onChange={(teamId) => onChange(teamId === "" ? null : teamId)}
      />
    </div>
  );
}
