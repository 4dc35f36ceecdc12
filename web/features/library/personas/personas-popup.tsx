import { Eye, Pencil, Plus, Star, Trash2 } from "lucide-react";
import { useRef } from "react";
import { Virtualizer } from "virtua";
import type { Persona } from "#shared/entities/persona.ts";
import { PERSONA_LIST_PREVIEW_LENGTH } from "#shared/limits.ts";
import type { ContentRights } from "#shared/sharing/shared-content.ts";
import { ManageFooter } from "#web/features/library/kit/manage-footer.tsx";
import { ManageShell } from "#web/features/library/kit/manage-shell.tsx";
import { IDLE, type ManageProps, type Pane, paneFor, usePane } from "#web/features/library/kit/pane.ts";
import { ListPlaceholder } from "#web/features/library/kit/placeholders.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { personaPreview } from "./persona-choices.ts";
import { PersonaForm } from "./persona-form.tsx";
import type { PersonaVersionsProps } from "./persona-versions.tsx";
import { useDeletePersona, useSetDefaultPersona } from "./use-change-personas.ts";
import { usePersonas } from "./use-personas.ts";

/** Beside what there is of any entry: what can be added, and a persona's earlier versions. */
type PersonasPane = Pane | { kind: "ready_made" } | { kind: "versions"; id: string };

/** Rows kept beyond the edges: lists of some dozens are wholly there. */
const BUFFER_PX = 3_000;

type PersonasListProps = {
  pane: PersonasPane;
  onPane: (pane: PersonasPane) => void;
  /** What is done with a persona stands beside the list. */
  isWide: boolean;
};

/** All personas, 400 px of them, and the way to a new one. */
function PersonasList({ pane, onPane, isWide }: PersonasListProps) {
  const { personas, defaultId, data, ...query } = usePersonas();
  const scroller = useRef<HTMLDivElement>(null);
  const create = useRef<HTMLButtonElement>(null);
  const rightsOf = useContentRights();
  const setDefault = useSetDefaultPersona();
  const remove = useDeletePersona();
  const deleteIt = ({ id, name }: Persona) => {
    // The browser's own question, as specified.
    if (!window.confirm(`Delete the persona "${name}"?`)) return;
    // Its row takes the focus with it.
    remove.mutate(id, { onSuccess: () => create.current?.focus() });
  };
  const shownId = "id" in pane ? pane.id : null;
  return (
    <>
      <div ref={scroller} className={cx("min-h-0 overflow-y-auto overscroll-contain py-8", isWide ? "h-400" : "flex-1")}>
        {data ? (
          <Virtualizer as="ul" item="li" scrollRef={scroller} bufferSize={BUFFER_PX} itemSize={72}>
            {personas.map((persona) => (
              <PersonaItem
                key={persona.id}
                persona={persona}
                rights={rightsOf(persona).rights}
                isDefault={persona.id === defaultId}
                isShown={isWide && persona.id === shownId}
                onDefault={() => setDefault.mutate(persona.id)}
                onEdit={() => onPane({ kind: "edit", id: persona.id })}
                onDelete={() => deleteIt(persona)}
              />
            ))}
          </Virtualizer>
        ) : (
          <ListPlaceholder query={query} loading="Loading personas..." failed="The personas could not be loaded." rowClass="h-72" />
        )}
        {data && personas.every((persona) => persona.is_personalized) && (
          <div className="border-t border-line mx-24 mt-8 pt-16 text-13 text-ink2">
            <p>You haven't created any personas yet.</p>
            {!isWide && (
              <Button size="sm" className="mt-12" onClick={() => onPane({ kind: "ready_made" })}>
                Look at ready-made personas
              </Button>
            )}
          </div>
        )}
      </div>
      <ManageFooter>
        <Button ref={create} onClick={() => onPane({ kind: "new", from: "" })}>
          <Plus aria-hidden className="size-16" />
          Create New Persona
        </Button>
      </ManageFooter>
    </>
  );
}

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
function PersonaItem({ persona, rights, isDefault, isShown, onDefault, onEdit, onDelete }: PersonaItemProps) {
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

type ReadyMadeProps = { onDone: () => void };

const ReadyMadeList = lazyPart<ReadyMadeProps>(async () => (await import("./ready-made-list.tsx")).ReadyMadeList);
const PersonaVersions = lazyPart<PersonaVersionsProps>(async () => (await import("./persona-versions.tsx")).PersonaVersions);

type PersonaPaneProps = { pane: Exclude<PersonasPane, typeof IDLE>; onPane: (pane: PersonasPane) => void };

/** What stands beside the list, or on phones in its place. */
function PersonaPane({ pane, onPane }: PersonaPaneProps) {
  const { personas } = usePersonas();
  const leave = () => onPane(IDLE);
  if (pane.kind === "ready_made") return <ReadyMadeList onDone={leave} />;
  if (pane.kind === "new") return <PersonaForm key="new" persona={null} onDone={leave} onVersions={leave} />;
  const persona = personas.find(({ id }) => id === pane.id);
  if (!persona) return null;
  if (pane.kind === "versions")
    return <PersonaVersions key={persona.id} persona={persona} onDone={() => onPane({ kind: "edit", id: persona.id })} />;
  return <PersonaForm key={persona.id} persona={persona} onDone={leave} onVersions={() => onPane({ kind: "versions", id: persona.id })} />;
}

function Idle({ onLook }: { onLook: () => void }) {
  return (
    <div className="px-24 pt-20">
      <p className="font-serif text-18 text-ink">Standing instructions</p>
      <p className="mt-8 text-13 text-ink2">
        Say once who answers and how: in what tone, in how many words, with which questions first. Each chat can have its own, and the one
        with the star is what new chats begin with.
      </p>
      <Button className="mt-16" onClick={onLook}>
        Look at ready-made personas
      </Button>
    </div>
  );
}

/** 'Manage Personas'; opened again it shows what it showed before. */
export default function PersonasPopup({ open, onOpenChange }: ManageProps) {
  const { user } = useSession();
  const { personas } = usePersonas();
  const [wanted, setPane] = usePane<PersonasPane>(undefined);
  const isMobile = useIsMobile();
  if (!user) return null;
  const ids = personas.map(({ id }) => id);
  const pane = paneFor(wanted, ids);
  return (
    <ManageShell
      open={open}
      onOpenChange={onOpenChange}
      title="Manage Personas"
      subtitle="A persona is the standing instruction a chat begins with."
      width={920}
      drawerClass="h-664"
      what="This persona"
      resetKey={JSON.stringify(pane)}
      list={<PersonasList pane={pane} onPane={setPane} isWide={!isMobile} />}
      listClass="w-464"
      side={pane.kind === "idle" ? null : <PersonaPane pane={pane} onPane={setPane} />}
      idle={<Idle onLook={() => setPane({ kind: "ready_made" })} />}
    />
  );
}
