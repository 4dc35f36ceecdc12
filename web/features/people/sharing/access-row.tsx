import { Users, X } from "lucide-react";
import type { ShareLevel } from "#shared/entities/share.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { SHARE_LEVELS } from "./share-levels.ts";
import type { ShareRow } from "./share-people.ts";

type AccessRowProps = {
  row: ShareRow & { isRemoved: boolean };
  image: string | null;
  busy: boolean;
  /** Null for who may only look. */
  onLevel: ((level: ShareLevel) => void) | null;
  onRemove: () => void;
  /** Null where the share cannot be given again from here. */
  onUndo: (() => void) | null;
};

/** Where it is narrow, what somebody may stands below who they are, whose name and address need the line. */
export const rowClass =
  "flex min-h-52 items-center max-[520px]:min-h-56 gap-x-12 max-[520px]:grid max-[520px]:grid-cols-[32px_minmax(0,1fr)_auto]";

/** A person or a team with what they may; one just removed stands faded until the dialog closes, with Undo. */
export function AccessRow({ row, image, busy, onLevel, onRemove, onUndo }: AccessRowProps) {
  const { name, note, level, isYou, isRemoved } = row;
  return (
    <li className={rowClass}>
      <span className={cx("contents", isRemoved && "[&>*]:opacity-45")}>
        {row.kind === "team" ? (
          <span
            aria-hidden
            className="inline-flex size-32 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-soft-ink"
          >
            <Users className="size-16" />
          </span>
        ) : (
          <Avatar name={name} image={image} size={32} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className={cx("truncate text-14", isRemoved ? "text-ink2" : "font-medium text-ink")}>
          {name}
          {isYou && <span className="font-normal text-ink2"> (you)</span>}
        </p>
        {(isRemoved || note !== "") && <p className="truncate text-12 text-ink2">{isRemoved ? "Access removed" : note}</p>}
      </div>
      {isRemoved ? (
        onUndo && (
          <Button size="sm" busy={busy} onClick={onUndo} aria-label={`Undo: share with ${name} again`}>
            Undo
          </Button>
        )
      ) : onLevel ? (
        <>
          {row.key === null ? (
            <span className={cx("w-88 pl-8 text-13 text-ink2", belowClass)}>{levelName(level)}</span>
          ) : (
            <Select
              look="plain"
              label={`What ${name} may`}
              value={level}
              options={SHARE_LEVELS}
              onChange={onLevel}
              disabled={busy}
              className={cx("w-88", belowClass)}
            />
          )}
          <IconButton label={`Remove ${name}`} icon={X} tooltip="Remove" disabled={busy} onClick={onRemove} className="-mr-8" />
        </>
      ) : (
        <span className="w-88 pl-8 text-13 text-ink2">{levelName(level)}</span>
      )}
    </li>
  );
}

const belowClass = "max-[520px]:order-1 max-[520px]:col-start-2 max-[520px]:-mt-4 max-[520px]:-ml-8";

function levelName(level: ShareLevel): string {
  return level === "editor" ? "Editor" : "Viewer";
}
