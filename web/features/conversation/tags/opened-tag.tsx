import { ArrowLeft, X } from "lucide-react";
import { useEffect } from "react";
import type { Tag } from "#shared/entities/folders/folder.ts";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { TagDot } from "./tag-dot.tsx";

type OpenedTagProps = { id: string; tags: readonly Tag[]; isReady: boolean; inDrawer: boolean };

/** The heading of a list that is filtered by a tag: a chip that clears it. */
export function OpenedTag({ id, tags, isReady, inDrawer }: OpenedTagProps) {
  const tag = tags.find((known) => known.id === id);
  const isMissing = isReady && !tag;
  useEffect(() => {
    if (isMissing) setView("all");
  }, [isMissing]);
  if (!tag) return <div className={inDrawer ? "h-44" : "h-36"} />;
  return (
    <div className={cx("flex items-center gap-4", inDrawer ? "h-56 px-8" : "h-44 px-12 touch:h-56")}>
      <IconButton size="sm" label="All chats" icon={ArrowLeft} onClick={() => setView("all")} />
      <h2 className="sr-only">Chats tagged {tag.name}</h2>
      <button
        type="button"
        aria-label={`Clear the filter ${tag.name}`}
        onClick={() => setView("all")}
        className="flex h-28 min-w-0 items-center gap-6 rounded-6 bg-s3 px-8 text-13 text-ink transition-colors duration-120 hover:bg-s4 touch:h-44"
      >
        <TagDot hue={tag.hue} />
        <span className="truncate">{tag.name}</span>
        <X aria-hidden className="size-14 shrink-0 text-ink2" />
      </button>
    </div>
  );
}
