import { Eye, Pencil, Star, Trash2 } from "lucide-react";
import type { Persona } from "#shared/entities/persona.ts";
import { PERSONA_LIST_PREVIEW_LENGTH } from "#shared/limits.ts";
import type { ContentRights } from "#shared/sharing/shared-content.ts";
import { TeamBadge } from "#web/features/sharing/team-badge.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { personaPreview } from "./persona-choices.ts";

type PersonaItemProps = {
  persona: Persona;
  rights: ContentRights;
  isDefault: boolean;
  /** It is what stands beside the list. */
  isShown: boolean;
  onDefault: () => void;
  /** To be changed, or where it is another's only looked at. */
  onEdit: () => void;
  onDelete: () => void;
};

/** A persona in the list, with what can be done with it. */
export function PersonaItem({ persona, rights, isDefault, isShown, onDefault, onEdit, onDelete }: PersonaItemProps) {
  const { name } = persona;
  return (
    <div className={cx("flex min-h-72 items-start py-6 pr-16 pl-12 desk:pl-18", isShown && "bg-s3")}>
      <IconButton
        label={`Set ${name} as default`}
        tooltip={isDefault ? "Default" : "Set as default"}
        icon={Star}
        size="sm"
        aria-pressed={isDefault}
        className={cx(isDefault && "text-accent! [&_svg]:fill-current")}
        onClick={() => !isDefault && onDefault()}
      />
      <div className="min-w-0 flex-1 px-6 pt-4">
        <p className="flex min-w-0 items-center gap-8">
          <span className="truncate text-14 font-medium text-ink">{name}</span>
          {isDefault && <Badge tone="accent">Default</Badge>}
          <TeamBadge teamId={persona.team_id} />
        </p>
        <p className="line-clamp-2 text-12 break-words text-ink2">{personaPreview(persona, PERSONA_LIST_PREVIEW_LENGTH)}</p>
      </div>
      {rights.edit ? (
        <IconButton label={`Edit ${name}`} tooltip="Edit" icon={Pencil} onClick={onEdit} />
      ) : (
        <IconButton label={`Look at ${name}`} tooltip="Look at" icon={Eye} onClick={onEdit} />
      )}
      {persona.is_personalized || !rights.delete ? (
        <span className="w-32 shrink-0 touch:w-44" />
      ) : (
        <IconButton label={`Delete ${name}`} tooltip="Delete" icon={Trash2} onClick={onDelete} />
      )}
    </div>
  );
}
