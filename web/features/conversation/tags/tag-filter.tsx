import type { Tag } from "#shared/entities/folders/folder.ts";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { TagDot } from "./tag-dot.tsx";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { UnreadFiling } from "./unread-filing.tsx";

const TAGS: PickerKind<Tag> = {
  idOf: ({ id }) => id,
  textOf: ({ name }) => name,
  Row: TagRow,
  rowHeight: { desk: 36, touch: 48 },
  size: { width: 260 },
};

function TagRow({ item, isTouch }: PickerRowProps<Tag>) {
  return (
    <span className={cx("flex min-w-0 flex-1 items-center gap-10 px-10 text-ink", isTouch ? "h-48 text-16" : "h-36 text-14")}>
      <TagDot hue={item.hue} />
      <span className="min-w-0 flex-1 truncate">{item.name}</span>
      <span className="text-12 text-ink3 tabular-nums">{item.chat_count.toLocaleString("en")}</span>
    </span>
  );
}

export type TagFilterProps = { anchor: HTMLElement; onPick: (id: string) => void; onClose: () => void };

/** The tags, to pick the one whose chats are listed. */
export function TagFilter({ anchor, onPick, onClose }: TagFilterProps) {
  const { tags, isReady } = useFolders();
  return (
    <Picker
      open
      anchor={anchor}
      label="Filter by tag"
      kind={TAGS}
      items={tags}
      selected={[]}
      listLabel="Tags"
      search={{ label: "Search tags", placeholder: "Search tags..." }}
      renderNotice={({ matches }) =>
        !isReady ? (
          <UnreadFiling what="tags" className="px-20 py-10 desk:px-14" />
        ) : matches > 0 ? null : (
          <p className="px-20 py-10 text-13 text-ink2 desk:px-14">
            {tags.length === 0 ? "There are no tags yet. A chat's menu gives it some." : "No tag of that name."}
          </p>
        )
      }
      onPick={({ id }) => {
        onClose();
        onPick(id);
      }}
      onClose={onClose}
    />
  );
}
