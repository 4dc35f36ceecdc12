import { useState } from "react";
import { useHotkey } from "#web/lib/hotkeys.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const ShortcutsDialog = lazyPart(async () => (await import("./shortcuts-dialog.tsx")).default);

/** Opens the list of shortcuts on `?`. */
export function ShortcutsLayer() {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  useHotkey("showShortcuts", () => {
    setUsed(true);
    setOpen(true);
  });
  if (!used) return null;
  return <ShortcutsDialog open={open} onOpenChange={setOpen} />;
}
