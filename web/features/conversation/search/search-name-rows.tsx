import { CornerDownRight, Folder, Tag } from "lucide-react";
import type { FilterName, FolderHit } from "./search-names.ts";

/** A folder or tag that the filter being typed may name. */
export function NameRow({ name: { name, label, where } }: { name: FilterName }) {
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
export function FolderRow({ folder: { name, where } }: { folder: FolderHit }) {
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
