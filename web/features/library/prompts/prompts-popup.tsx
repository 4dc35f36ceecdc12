import { GripVertical, Lock, Pencil, Plus, Search, Trash2 } from "lucide-react";
import { type ComponentProps, type ReactNode, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { ManageFooter } from "#web/features/library/kit/manage-footer.tsx";
import { ManageShell } from "#web/features/library/kit/manage-shell.tsx";
import { IDLE, type ManageProps, type Pane, paneFor, usePane } from "#web/features/library/kit/pane.ts";
import { EntryPlaceholder, ListPlaceholder } from "#web/features/library/kit/placeholders.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { matcher, plainText } from "#web/ui/picker/match.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { useReorder } from "#web/ui/use-reorder.ts";
import { LibraryMenu } from "./library-menu.tsx";
import { PromptForm, type PromptFormParts } from "./prompt-form.tsx";
import { useDeletePrompt, useMovePrompt } from "./use-change-prompts.ts";
import { usePrompt, usePrompts } from "./use-prompts.ts";

/** Every row is so high, as a list of thousands is only there around what is seen. */
const ROW_PX = 72;

type PromptItemProps = {
  prompt: PromptSummary;
  /** It is what stands beside the list. */
  isShown: boolean;
  isDragged: boolean;
  /** Null where it cannot be moved. */
  handle: Pick<ComponentProps<"button">, "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel" | "onKeyDown"> | null;
  onEdit: () => void;
  onDeleted: () => void;
};

/** A prompt in the list, with what can be done with it. */
function PromptItem({ prompt, isShown, isDragged, handle, onEdit, onDeleted }: PromptItemProps) {
  const { id, name, preview, steps } = prompt;
  const { rights } = useContentRights()(prompt);
  const remove = useDeletePrompt();
  const [isAsking, setIsAsking] = useState(false);
  const deleteIt = () => {
    setIsAsking(false);
    remove.mutate(id, { onSuccess: onDeleted });
  };
  const Mark = rights.edit ? Pencil : Lock;
  return (
    <div
      style={{ height: ROW_PX }}
      className={cx(
        "group relative mx-12 flex items-start rounded-8 pl-2 touch:pl-0",
        isShown || isDragged ? "bg-s4" : "hover:bg-highlight",
      )}
    >
      {handle ? (
        <button
          type="button"
          aria-label={`Move ${name}`}
          title="Drag, or use the arrow keys"
          className="absolute top-8 -left-10 inline-flex h-32 w-20 cursor-grab touch-none items-center justify-center rounded-6 text-ink3 opacity-0 group-hover:opacity-100 hover:text-ink focus-visible:opacity-100 active:cursor-grabbing touch:static touch:h-56 touch:w-32 touch:shrink-0 touch:opacity-100"
          {...handle}
        >
          <GripVertical aria-hidden className="size-14" />
        </button>
      ) : (
        <span className="touch:w-32 touch:shrink-0" />
      )}
      <button
        type="button"
        aria-label={`${rights.edit ? "Edit" : "Look at"} ${name}`}
        aria-describedby={`${id}-preview`}
        onClick={onEdit}
        className="flex h-full min-w-0 flex-1 items-start gap-4 rounded-8 py-8 pl-10 text-left touch:pl-0"
      >
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-6">
            <span className="truncate text-14 font-medium text-ink">{name}</span>
            <TeamBadge teamId={prompt.team_id} />
            {steps > 1 && <Badge>{`${steps} steps`}</Badge>}
          </span>
          <span id={`${id}-preview`} className="mt-2 line-clamp-2 text-12 break-words text-ink2">
            {preview}
          </span>
        </span>
        <Mark aria-hidden className="mt-2 mr-8 size-16 shrink-0 text-ink2 touch:mt-6 touch:size-20" />
      </button>
      {rights.delete ? (
        <IconButton
          label={`Delete ${name}`}
          tooltip="Delete"
          icon={Trash2}
          className="mt-2"
          aria-disabled={remove.isPending || undefined}
          onClick={() => !remove.isPending && setIsAsking(true)}
        />
      ) : (
        <span className="w-32 shrink-0 touch:w-44" />
      )}
      <ConfirmDialog open={isAsking} onOpenChange={setIsAsking} title="Delete this prompt?" confirm="Delete" onConfirm={deleteIt}>
        <strong className="font-medium break-words text-ink">{name}</strong> is deleted for good.
      </ConfirmDialog>
    </div>
  );
}

/** Rows kept beyond the edges: lists of some dozens are wholly there. */
const BUFFER_PX = 2_000;
/** Shorter lists are seen at a glance. */
const SEARCHED = 8;

type PromptsListProps = {
  pane: Pane;
  onPane: (pane: Pane) => void;
  /** What is done with a prompt stands beside the list. */
  isWide: boolean;
  /** Beside the way to a new one. */
  menu: ReactNode;
};

/** All prompts in their order, which can be changed, and the way to a new one. */
function PromptsList({ pane, onPane, isWide, menu }: PromptsListProps) {
  const { user } = useSession();
  const { prompts, data, ...read } = usePrompts();
  const [query, setQuery] = useState("");
  const [moved, setMoved] = useState("");
  const move = useMovePrompt();
  const scroller = useRef<HTMLDivElement>(null);
  const create = useRef<HTMLButtonElement>(null);
  const isSearch = query.trim() !== "";
  const own = useMemo(() => prompts.filter((prompt) => prompt.user_id === user?.id).map(({ id }) => id), [prompts, user?.id]);
  const { list, order, draggedId, handle } = useReorder<HTMLDivElement>(own, {
    rowPx: ROW_PX,
    onOrder: (ids, id) => {
      setMoved(`Moved to place ${ids.indexOf(id) + 1} of ${ids.length}.`);
      move.mutate({ id, order: ids });
    },
  });
  const shown = useMemo(() => {
    if (query.trim() !== "") {
      const isMatch = matcher(query);
      return prompts.filter(({ name, preview }) => isMatch(plainText(`${name} ${preview}`)));
    }
    const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
    return [...order, ...prompts.map(({ id }) => id).slice(own.length)].flatMap((id) => byId.get(id) ?? []);
  }, [prompts, own, order, query]);
  const shownId = isWide && pane.kind === "edit" ? pane.id : null;
  return (
    <>
      {(prompts.length >= SEARCHED || isSearch) && (
        <div className="relative shrink-0 px-16 pt-12">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-26 mt-6 size-16 -translate-y-1/2 text-ink3" />
          <input
            type="search"
            aria-label="Search prompts"
            placeholder="Search prompts..."
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={cx(fieldClass, "h-36 pl-36! text-14 touch:h-44 touch:text-16")}
          />
        </div>
      )}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-8">
        {data ? (
          <div ref={list}>
            <Virtualizer
              as="ul"
              item="li"
              scrollRef={scroller}
              bufferSize={BUFFER_PX}
              itemSize={ROW_PX}
              startMargin={8}
              keepMounted={shown.flatMap(({ id }, index) => (id === draggedId ? [index] : []))}
            >
              {shown.map((prompt) => (
                <PromptItem
                  key={prompt.id}
                  prompt={prompt}
                  isShown={prompt.id === shownId}
                  isDragged={prompt.id === draggedId}
                  handle={!isSearch && own.length > 1 && prompt.user_id === user?.id ? handle(prompt.id) : null}
                  onEdit={() => onPane({ kind: "edit", id: prompt.id })}
                  onDeleted={() => create.current?.focus()}
                />
              ))}
            </Virtualizer>
          </div>
        ) : (
          <ListPlaceholder query={read} loading="Loading prompts..." failed="The prompts could not be loaded." rowClass="h-72" />
        )}
        {data && shown.length === 0 && (
          <p className="px-24 py-8 text-13 text-ink2">{isSearch ? "No results found." : "You haven't created any prompts yet."}</p>
        )}
        <p role="status" className="sr-only">
          {moved}
        </p>
      </div>
      <ManageFooter className="justify-between">
        <Button ref={create} onClick={() => onPane({ kind: "new", from: "" })}>
          <Plus aria-hidden className="size-16" />
          Create New Prompt
        </Button>
        {menu}
      </ManageFooter>
    </>
  );
}

const SUBTITLE = "Type / in the composer to use one. What stands in {{braces}} is asked for first.";

/** 'Manage prompts': the list beside what is done with one of them; on phones one after the other. */
export function PromptsPopup({ parts, open, onOpenChange, start }: ManageProps & { parts: PromptFormParts }) {
  const { user } = useSession();
  const { prompts, data } = usePrompts();
  const [wanted, setPane] = usePane(start);
  const isMobile = useIsMobile();
  if (!user) return null;
  const pane = paneFor(wanted, data ? prompts.map(({ id }) => id) : null);
  return (
    <ManageShell
      open={open}
      onOpenChange={onOpenChange}
      title="Manage prompts"
      subtitle={SUBTITLE}
      width={1000}
      height={736}
      drawerClass="h-[calc(100dvh-var(--keyboard)-var(--safe-top)-24px)]"
      what="This prompt"
      resetKey={pane.kind === "edit" ? pane.id : pane.kind}
      list={<PromptsList pane={pane} onPane={setPane} isWide={!isMobile} menu={<LibraryMenu />} />}
      listClass="w-396"
      side={pane.kind === "idle" ? null : <PromptPane parts={parts} pane={pane} onPane={setPane} />}
      idle={<Idle />}
    />
  );
}

type PromptPaneProps = { parts: PromptFormParts; pane: Exclude<Pane, typeof IDLE>; onPane: (pane: Pane) => void };

/** What stands beside the list, or on phones in its place. */
function PromptPane({ parts, pane, onPane }: PromptPaneProps) {
  const leave = () => onPane(IDLE);
  const edit = (id: string) => onPane({ kind: "edit", id });
  if (pane.kind === "edit") return <EditedPrompt parts={parts} key={pane.id} id={pane.id} onDone={leave} onCopied={edit} />;
  return <PromptForm parts={parts} key={`new ${pane.from}`} prompt={null} from={pane.from} onDone={leave} onCopied={edit} />;
}

type EditedPromptProps = { parts: PromptFormParts; id: string; onDone: () => void; onCopied: (id: string) => void };

function EditedPrompt({ parts, id, onDone, onCopied }: EditedPromptProps) {
  const query = usePrompt(id);
  if (query.data) return <PromptForm parts={parts} prompt={query.data} onDone={onDone} onCopied={onCopied} />;
  return <EntryPlaceholder query={query} failed="The prompt could not be loaded." />;
}

function Idle() {
  return (
    <div className="max-w-480 space-y-8 px-24 pt-20 text-13 text-ink2">
      <p className="font-serif text-18 text-ink">What you ask again and again</p>
      <p>
        Write it once, and leave blanks: {"{{client}}"} is asked for when the prompt is used, {"{{tone:formal,friendly}}"} is a choice, and{" "}
        {"{{audience=experts}}"} has a default. {"{{CURRENT_DATE}}"} and {"{{USER_NAME}}"} are filled in.
      </p>
      <p>
        A line of --- begins the next step: the steps run one after another, and {"{{LAST_ANSWER}}"} stands for the answer to the step
        before.
      </p>
    </div>
  );
}
