import { useEffect } from "react";
import { useHotkey } from "#web/lib/hotkeys.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { useCover } from "#web/ui/dialog/layers.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { useBackCloses } from "#web/ui/dialog/use-back-closes.ts";
import { closeSearch, openSearch, useSearchOpen } from "./search-store.ts";

const SearchDialog = lazyPart(async () => (await import("./search-dialog.tsx")).default);

/** Opens the search palette on Cmd/Ctrl+K, or for who asks the store; its code comes with the first sign of life. */
export function SearchLayer() {
  const open = useSearchOpen();
  const used = useEver(open);
  useHotkey("search", () => (open ? closeSearch() : openSearch()));
  useBackCloses(open, closeSearch);
  useCover(open);
  useEffect(() => preloadAtFirstSign([SearchDialog]), []);
  if (!used) return null;
  return <SearchDialog open={open} />;
}
