import { Check, Settings2 } from "lucide-react";
import { memo, useMemo } from "react";
import type { Persona } from "#shared/entities/persona.ts";
import { PERSONA_PREVIEW_LENGTH } from "#shared/limits.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerDetailsProps, PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { type PersonaChoice, personaChoices, personaPreview, searchedText } from "./persona-choices.ts";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { usePersonas } from "./use-personas.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import type { ListCounts } from "#web/ui/picker/picker-list.tsx";

type NoticeProps = ListCounts & { status: "loading" | "ready" | "failed"; onRetry: () => void };

const TEXTS = { loading: "Loading prompts...", ready: "No prompts found.", failed: "The personas could not be loaded." } as const;

/** What a list of personas without rows says, and the way on. */
function PersonaListNotice({ status, matches, onRetry, onClear }: NoticeProps) {
  return (
    <>
      <output className="block shrink-0">
        {matches === 0 && <p className="px-20 pt-16 text-13 text-ink2 desk:px-16">{TEXTS[status]}</p>}
      </output>
      {matches === 0 && status === "loading" && <RowSkeletons lines={1} className="h-36 px-20 desk:px-16 touch:h-56" />}
      {matches === 0 && status !== "loading" && (
        <div className="shrink-0 px-8 pt-4 desk:px-4">
          <Button variant="quiet" size="sm" onClick={status === "failed" ? onRetry : onClear}>
            {status === "failed" ? "Try again" : "Clear search"}
          </Button>
        </div>
      )}
    </>
  );
}

const previewIn = (persona: Persona | null) => personaPreview(persona, PERSONA_PREVIEW_LENGTH);

const PersonaRow = memo(function PersonaRow({ item: { name, persona }, isSelected, isTouch }: PickerRowProps<PersonaChoice>) {
  return (
    <div className={cx("flex items-center", isTouch ? "h-56 gap-14 pr-48 pl-12" : "h-36 gap-8 px-8")}>
      <span className="min-w-0 flex-1">
        <span className={cx("block truncate text-ink", isTouch ? "text-15 leading-[20px] font-medium" : "text-14")}>{name}</span>
        {isTouch && <span className="block truncate text-13 leading-[18px] text-ink2">{previewIn(persona)}</span>}
      </span>
      {isTouch && persona && <TeamBadge teamId={persona.team_id} />}
      {isSelected && <Check aria-hidden className={cx("shrink-0 text-accent", isTouch ? "size-20" : "size-16")} />}
    </div>
  );
});

/** What a persona says, as far as the card shows it: with its name beside the list, without it under its row. */
function PersonaCard({ item: { name, persona, isDefault }, isTouch }: PickerDetailsProps<PersonaChoice>) {
  return (
    <div className="flex flex-1 flex-col gap-8">
      {!isTouch && (
        <div className="flex items-start gap-10">
          <p className="min-w-0 flex-1 text-14 font-semibold break-words text-ink">{name}</p>
          {isDefault && <Badge tone="accent">Default</Badge>}
          {persona && <TeamBadge teamId={persona.team_id} />}
        </div>
      )}
      <p className="text-13 break-words text-ink2">{previewIn(persona)}</p>
    </div>
  );
}

/** 300 by 320 px, as the list of models beside it. */
const PERSONAS: PickerKind<PersonaChoice> = {
  idOf: ({ id }) => id,
  textOf: (choice) => searchedText(choice, PERSONA_PREVIEW_LENGTH),
  nameOf: ({ name }) => name,
  aboutOf: ({ persona }) => previewIn(persona),
  Row: PersonaRow,
  rowHeight: { desk: 36, touch: 56 },
  Details: PersonaCard,
  size: { width: 300, height: 320 },
};

export type PersonaListProps = {
  open: boolean;
  /** The button it belongs to. */
  anchor: HTMLElement;
  /** Null for no persona. */
  selectedId: string | null;
  onPick: (id: string | null) => void;
  onClose: () => void;
};

/** The list of personas, and the way to change it. Loaded with the first sign of life. */
export default function PersonaListPopup({ open, anchor, selectedId, onPick, onClose }: PersonaListProps) {
  const { personas, defaultId, data, isError, isFetching, refetch } = usePersonas();
  const choices = useMemo(() => (data ? personaChoices(personas, defaultId) : []), [data, personas, defaultId]);
  return (
    <Picker
      open={open}
      anchor={anchor}
      owner={anchor.closest("[data-composer]")}
      label="Switch persona"
      kind={PERSONAS}
      items={choices}
      selected={[selectedId ?? ""]}
      listLabel="Personas"
      search={{ label: "Search personas", placeholder: "Search prompts...", keys: hotkeyText("switchPersona") }}
      renderNotice={(counts) => (
        <PersonaListNotice
          {...counts}
          status={data ? "ready" : isError && !isFetching ? "failed" : "loading"}
          onRetry={() => void refetch()}
        />
      )}
      footer={
        <Button
          variant="quiet"
          size="sm"
          className="-mx-8 -my-4 w-[calc(100%+16px)] justify-start! px-8!"
          onClick={() => {
            onClose();
            openManage("personas");
          }}
        >
          <Settings2 aria-hidden className="size-16" />
          Manage Personas...
        </Button>
      }
      onPick={({ id }) => onPick(id === "" ? null : id)}
      onClose={onClose}
    />
  );
}
