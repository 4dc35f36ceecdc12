import { Check, Minus, Plus, Tags } from "lucide-react";
import { useMemo, useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { Tag } from "#shared/entities/folders/folder.ts";
import { TAG_NAME_LENGTH } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { TagDot } from "./tag-dot.tsx";
import { UnreadFiling } from "./unread-filing.tsx";

/** How many of the chats have a tag. */
type Ticks = "all" | "some" | "none";
type Choice = { kind: "tag"; tag: Tag; ticks: Ticks } | { kind: "new"; name: string };

const CHOICES: PickerKind<Choice> = {
  idOf: (choice) => (choice.kind === "tag" ? choice.tag.id : "new"),
  textOf: (choice) => (choice.kind === "tag" ? choice.tag.name : choice.name),
  nameOf: (choice) =>
    choice.kind === "new" ? `New tag “${choice.name}”` : `${choice.tag.name}${choice.ticks === "some" ? ", on some of them" : ""}`,
  Row: ChoiceRow,
  rowHeight: { desk: 36, touch: 48 },
  size: { width: 280 },
};

function ChoiceRow({ item, isTouch }: PickerRowProps<Choice>) {
  const row = cx("flex min-w-0 flex-1 items-center gap-10 px-10 text-ink", isTouch ? "h-48 text-16" : "h-36 text-14");
  if (item.kind === "new") {
    return (
      <span className={row}>
        <Plus aria-hidden className="size-16 shrink-0 text-ink2" />
        <span className="min-w-0 flex-1 truncate">New tag “{item.name}”</span>
      </span>
    );
  }
  const isOn = item.ticks !== "none";
  const Mark = item.ticks === "some" ? Minus : Check;
  return (
    <span className={row}>
      <span
        className={cx(
          "inline-flex size-16 shrink-0 items-center justify-center rounded-[4px] border",
          isOn ? "border-accent bg-accent text-accent-ink" : "border-line-strong bg-s2",
        )}
      >
        {isOn && <Mark aria-hidden className="size-12 [stroke-width:2.4]!" />}
      </span>
      <TagDot hue={item.tag.hue} />
      <span className="min-w-0 flex-1 truncate">{item.tag.name}</span>
      <span aria-hidden className="text-12 text-ink3 tabular-nums">
        {item.tag.chat_count > 0 && item.tag.chat_count.toLocaleString("en")}
      </span>
    </span>
  );
}

export type TagPickerProps = {
  anchor: HTMLElement;
  chats: readonly Chat[];
  tags: readonly Tag[];
  /** One without an id is new. */
  onTag: (tag: { name: string; id?: string }, isOn: boolean) => void;
  onManage: () => void;
  onClose: () => void;
};

/** The tags of one or many chats, to be ticked; a new one by its name. */
export function TagPicker({ anchor, chats, tags, onTag, onManage, onClose }: TagPickerProps) {
  const [query, setQuery] = useState("");
  const { isReady } = useFolders();
  const name = query.trim().replaceAll(/\s+/g, " ").slice(0, TAG_NAME_LENGTH);
  const choices = useMemo((): Choice[] => {
    const known = tags.map((tag): Choice => ({ kind: "tag", tag, ticks: ticksOf(chats, tag.id) }));
    const isNew = isReady && name !== "" && !tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase());
    return isNew ? [...known, { kind: "new", name }] : known;
  }, [tags, chats, name, isReady]);
  return (
    <Picker
      open
      anchor={anchor}
      label="Tags"
      kind={CHOICES}
      items={choices}
      selected={choices.flatMap((choice) => (choice.kind === "tag" && choice.ticks === "all" ? [choice.tag.id] : []))}
      isMultiple
      listLabel="Tags"
      search={{ label: "Search tags", placeholder: "Search or name a new tag..." }}
      onQuery={setQuery}
      renderNotice={({ matches }) =>
        !isReady ? (
          <UnreadFiling what="tags" className="px-20 py-10 desk:px-14" />
        ) : matches > 0 ? null : (
          <p className="px-20 py-10 text-13 text-ink2 desk:px-14">There are no tags yet. Type a name to make one.</p>
        )
      }
      footer={
        <Button variant="quiet" size="sm" className="-mx-8 -my-4 w-[calc(100%+16px)] justify-start! px-8!" onClick={onManage}>
          <Tags aria-hidden className="size-16" />
          Manage tags…
        </Button>
      }
      onPick={(choice) => (choice.kind === "new" ? onTag({ name: choice.name }, true) : onTag(choice.tag, choice.ticks !== "all"))}
      onClose={onClose}
    />
  );
}

function ticksOf(chats: readonly Chat[], tagId: string): Ticks {
  const count = chats.filter(({ tags }) => tags.includes(tagId)).length;
  return count === 0 ? "none" : count === chats.length ? "all" : "some";
}
