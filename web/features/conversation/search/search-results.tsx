import type { ReactNode, MouseEvent } from "react";
import { useHref } from "react-router";
import { CornerDownRight, Folder, Tag } from "lucide-react";
import { cx } from "#web/ui/cx.ts";
import type { SearchItem } from "./search-items.ts";
import { unknownText, type FilterName, type FolderHit } from "./search-names.ts";
import { ActionRow, ArtifactRow, HitRow, MoreRow } from "./search-rows.tsx";
import type { usePalette } from "./use-palette.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type SearchResultsProps = {
  id: string;
  palette: ReturnType<typeof usePalette>;
  names: readonly SearchItem[];
  found: readonly SearchItem[];
  folders: readonly SearchItem[];
  artifacts: readonly SearchItem[];
  actions: readonly SearchItem[];
  activeId: string | null;
  optionId: (id: string) => string;
  onPoint: (id: string) => void;
  onOpen: (item: SearchItem) => void;
};

/** What was found, then what can be done, as one listbox. */
export function SearchResults(props: SearchResultsProps) {
  const { id, palette, names, found, folders, artifacts, actions, activeId, optionId, onPoint, onOpen } = props;
  const { isAsking, isSettled, isIncomplete, error, hasMore, groups } = palette;
  // While a name is typed, those that are offered are what there is.
  const isFound = [groups, names, artifacts, folders].some(({ length }) => length > 0);
  const isNothing = isAsking && isSettled && !isFound && error === null;
  const nothing = unknownText(palette.unknown);
  const option = (item: SearchItem) => (
    <SearchOption
      key={item.id}
      id={optionId(item.id)}
      isActive={item.id === activeId}
      to={item.to}
      onPoint={() => onPoint(item.id)}
      onOpen={() => onOpen(item)}
      className={item.kind === "hit" || item.kind === "artifact" ? "h-52 touch:h-56" : "h-36 touch:h-44"}
    >
      <Row item={item} />
    </SearchOption>
  );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-t border-line pb-8 max-desk:pb-[max(8px,var(--safe-bottom))]">
      {error && (
        <div role="alert" className="flex items-center justify-between gap-12 px-18 py-12 text-13 text-ink2">
          <span>{error.message}</span>
          <TryAgain variant="secondary" onClick={palette.retry} />
        </div>
      )}
      {isAsking && !isSettled && groups.length === 0 && error === null && (
        <p aria-hidden className="px-18 pt-16 pb-8 text-14 text-ink3">
          Searching…
        </p>
      )}
      {isNothing && <p className="px-18 pt-16 pb-8 text-14 text-ink2">{nothing}</p>}
      <div id={id} role="listbox" aria-label="Results">
        {names.length > 0 && <Group label={names.some(isTag) ? "Tags" : "In folder"}>{names.map(option)}</Group>}
        {found.length > 0 && (
          <Group label={isAsking ? "Chats" : "Recent"} count={isAsking && isSettled ? `${groups.length}${hasMore ? "+" : ""}` : null}>
            {found.map(option)}
          </Group>
        )}
        {folders.length > 0 && <Group label="Folders">{folders.map(option)}</Group>}
        {artifacts.length > 0 && <Group label="Artifacts">{artifacts.map(option)}</Group>}
        {actions.length > 0 && <Group label="Actions">{actions.map(option)}</Group>}
      </div>
      {isIncomplete && <p className="px-18 py-8 text-12 text-ink3">Still reading what changed lately…</p>}
      <p role="status" className="sr-only">
        {isAsking &&
          isSettled &&
          error === null &&
          (isNothing ? nothing : `${groups.length} ${groups.length === 1 ? "chat" : "chats"} found`)}
      </p>
    </div>
  );
}

function isTag(item: SearchItem): boolean {
  return item.kind === "name" && item.name.name === "tag";
}

function Row({ item }: { item: SearchItem }) {
  switch (item.kind) {
    case "hit":
      return <HitRow hit={item.hit} />;
    case "more":
      return <MoreRow hit={item.hit} />;
    case "artifact":
      return <ArtifactRow artifact={item.artifact} />;
    case "name":
      return <NameRow name={item.name} />;
    case "folder":
      return <FolderRow folder={item.folder} />;
    case "action":
      return <ActionRow action={item.action} />;
    case "unfold":
      return <span className="ml-28 border-l border-line pl-12 text-13 text-ink2">{item.count} more in this chat</span>;
    case "older":
      return <span className="ml-28 text-13 text-ink2">Show older results</span>;
  }
}

function Group({ label, count = null, children }: { label: string; count?: string | null; children: ReactNode }) {
  const labelId = `search-group-${label.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <div role="group" aria-labelledby={labelId}>
      <div className={cx("flex h-36 items-center justify-between px-18 pt-4 text-12 text-ink3")}>
        <span id={labelId} className="font-medium">
          {label}
        </span>
        {count !== null && <span className="tabular-nums">{count}</span>}
      </div>
      {children}
    </div>
  );
}

type SearchOptionProps = {
  id: string;
  isActive: boolean;
  /** Where it leads; null for what only happens here. */
  to: string | null;
  onPoint: () => void;
  onOpen: () => void;
  className?: string;
  children: ReactNode;
};

/** One row of the palette: a link where it leads somewhere, so it opens in another tab like any. */
function SearchOption({ id, isActive, to, onPoint, onOpen, className, children }: SearchOptionProps) {
  const href = useHref(to ?? "");
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  const shared = {
    id,
    role: "option",
    "aria-selected": isActive,
    tabIndex: -1,
    onClick: open,
    // Moved over and not entered: rows that come to stand under a resting pointer are not chosen by it.
    onPointerMove: isActive ? undefined : onPoint,
    className: cx("mx-8 flex items-center rounded-8 px-10 text-left text-ink", isActive && "bg-highlight", className),
  };
  if (to !== null) {
    return (
      <a {...shared} href={href}>
        {children}
      </a>
    );
  }
  return <div {...shared}>{children}</div>;
}

/** A folder or tag that the filter being typed may name. */
function NameRow({ name: { name, label, where } }: { name: FilterName }) {
  const Icon = name === "tag" ? Tag : Folder;
  return (
    <>
      <Icon aria-hidden className="size-16 shrink-0 text-ink2" />
      <span className="ml-12 min-w-0 flex-1 truncate text-14">{label}</span>
      <Where path={where} />
    </>
  );
}

/** A folder that was found, which opens in the sidebar. */
function FolderRow({ folder: { name, where } }: { folder: FolderHit }) {
  return (
    <>
      <Folder aria-hidden className="size-16 shrink-0 text-ink2" />
      <span className="ml-12 min-w-0 flex-1 truncate text-14">{name}</span>
      <Where path={where} />
    </>
  );
}

function Where({ path }: { path: string }) {
  if (path === "") return null;
  return (
    <span className="ml-12 flex max-w-1/2 min-w-0 shrink-0 items-center gap-6 text-12 text-ink3 in-aria-selected:text-ink2">
      <CornerDownRight aria-hidden className="size-12 shrink-0" />
      <span className="sr-only">in </span>
      <span className="truncate">{path}</span>
    </span>
  );
}
