import { Suspense, lazy, useState } from "react";
import { useHotkey } from "#web/lib/hotkeys.ts";

const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

/** Opens the list of shortcuts on `?`. */
export function ShortcutsLayer() {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  useHotkey("showShortcuts", () => {
    setUsed(true);
    setOpen(true);
  });
  if (!used) return null;
  return (
    <Suspense>
      <ShortcutsDialog open={open} onOpenChange={setOpen} />
    </Suspense>
  );
}
