import { Trash2 } from "lucide-react";
import { useState } from "react";
import { TAG_HUES, type Tag } from "#shared/entities/folders/folder.ts";
import { TAG_NAME_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { changeTag, makeTag, removeTag } from "./change-tags.ts";
import { TagDot } from "./tag-dot.tsx";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { UnreadFiling } from "./unread-filing.tsx";

export type TagsDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** All tags: named, coloured and deleted. */
export function TagsDialog({ open, onOpenChange }: TagsDialogProps) {
  const { tags, isReady } = useFolders();
  const [name, setName] = useState("");
  const make = () => {
    const plain = plainName(name);
    if (plain === "") return;
    void makeTag(plain);
    setName("");
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Tags" width={480}>
      <form
        className="mb-12 flex gap-8"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <input
          aria-label="New tag"
          placeholder="New tag"
          value={name}
          maxLength={TAG_NAME_LENGTH}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
          className="h-36 min-w-0 flex-1 rounded-8 border border-line-strong bg-s2 px-11 text-14 text-ink focus-visible:border-line touch:h-44 touch:text-16"
        />
        <Button type="submit" disabled={plainName(name) === ""}>
          Add
        </Button>
      </form>
      {!isReady ? (
        <UnreadFiling what="tags" />
      ) : tags.length === 0 ? (
        <p className="text-14 text-ink2">There are no tags yet.</p>
      ) : (
        <ul aria-label="Tags" className="-mx-8">
          {tags.map((tag) => (
            <TagRow key={`${tag.id} ${tag.name}`} tag={tag} tags={tags} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function TagRow({ tag, tags }: { tag: Tag; tags: readonly Tag[] }) {
  const [state, setState] = useState<"rest" | "colours" | "deleting">("rest");
  const [name, setName] = useState(tag.name);
  const save = () => {
    const next = name.trim();
    if (next === "" || next === tag.name) return setName(tag.name);
    const other = tags.find(({ id, name: taken }) => id !== tag.id && taken.toLowerCase() === next.toLowerCase());
    if (!other) return void changeTag(tag, { name: next }).then((isTaken) => !isTaken && setName(tag.name));
    setName(tag.name);
    return void toast({
      title: `There is a tag “${other.name}” already`,
      description: "Merging makes one of both, on the chats of both.",
      action: { label: "Merge", onClick: () => void changeTag(tag, { name: next, merge: true }) },
    });
  };
  return (
    <li className="rounded-8 px-8 hover:bg-s3">
      <div className="flex h-40 items-center gap-4 touch:h-48">
        <button
          type="button"
          aria-label={`Colour of ${tag.name}`}
          aria-expanded={state === "colours"}
          onClick={() => setState(state === "colours" ? "rest" : "colours")}
          className="inline-flex size-28 shrink-0 items-center justify-center rounded-8 hover:bg-s4 touch:size-44"
        >
          <TagDot hue={tag.hue} size="lg" />
        </button>
        <input
          aria-label={`Name of ${tag.name}`}
          value={name}
          maxLength={TAG_NAME_LENGTH}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
            if (event.key !== "Escape" || name === tag.name) return;
            // The dialog would close.
            event.stopPropagation();
            setName(tag.name);
          }}
          className="h-28 min-w-0 flex-1 rounded-6 bg-transparent px-6 text-14 text-ink hover:bg-s2 focus-visible:bg-s2 touch:h-44 touch:text-16"
        />
        <span className="shrink-0 text-12 text-ink3 tabular-nums">{chatCountLabel(tag.chat_count)}</span>
        <IconButton size="sm" label={`Delete ${tag.name}`} icon={Trash2} onClick={() => setState("deleting")} />
      </div>
      {state === "colours" && (
        <div role="radiogroup" aria-label={`Colour of ${tag.name}`} className="flex flex-wrap gap-4 pb-8 pl-32">
          {TAG_HUES.map((hue, index) => (
            <label
              key={hue}
              className="inline-flex size-28 items-center justify-center rounded-8 hover:bg-s4 has-checked:bg-s4 has-focus-visible:outline-2 touch:size-44"
            >
              <input
                type="radio"
                name={`colour ${tag.id}`}
                aria-label={`Colour ${index + 1}`}
                checked={hue === tag.hue}
                className="sr-only"
                onChange={() => void changeTag(tag, { hue })}
              />
              <TagDot hue={hue} size="lg" />
            </label>
          ))}
        </div>
      )}
      {state === "deleting" && (
        <div className="flex items-center gap-8 pb-8 pl-38 text-13 text-ink2">
          <p className="min-w-0 flex-1">It is taken off {chatCountLabel(tag.chat_count)}.</p>
          <Button size="sm" onClick={() => setState("rest")}>
            Cancel
          </Button>
          <Button size="sm" variant="danger" onClick={() => void removeTag(tag)}>
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}
