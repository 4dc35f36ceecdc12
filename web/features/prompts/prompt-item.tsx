import { GripVertical, Lock, Pencil, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { TeamBadge } from "#web/features/sharing/team-badge.tsx";
import { useContentRights } from "#web/features/sharing/use-content-rights.ts";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useDeletePrompt } from "./use-change-prompts.ts";

/** Every row is so high, as a list of thousands is only there around what is seen. */
export const ROW_PX = 72;

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
export function PromptItem({ prompt, isShown, isDragged, handle, onEdit, onDeleted }: PromptItemProps) {
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
