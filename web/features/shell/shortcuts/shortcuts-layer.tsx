import { useHotkey } from "#web/lib/hotkeys.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { openShortcuts, setShortcutsOpen, useShortcutsOpen } from "#web/lib/shortcuts-store.ts";
import { useEver } from "#web/lib/use-ever.ts";

const ShortcutsDialog = lazyPart(async () => (await import("./shortcuts-dialog.tsx")).default);

/** Opens the list of shortcuts on `?`. */
export function ShortcutsLayer() {
  const open = useShortcutsOpen();
  const used = useEver(open);
  useHotkey("showShortcuts", openShortcuts);
  if (!used) return null;
  return <ShortcutsDialog open={open} onOpenChange={setShortcutsOpen} />;
}
