import { useState } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { useHotkey } from "#web/lib/hotkeys.ts";
import { useSettings } from "./use-settings.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const SettingsDialog = lazyPart(async () => (await import("./settings-dialog.tsx")).default);

/** Opens the settings when the address says so; who has not signed in has none but the theme. */
export function SettingsLayer() {
  const settings = useSettings();
  const { status } = useSession();
  const [used, setUsed] = useState(false);
  const open = settings.tab !== null && status !== "loading";
  if (open && !used) setUsed(true);
  useHotkey("openSettings", () => (settings.tab === null ? settings.open("general") : settings.close()));
  if (!used) return null;
  return <SettingsDialog />;
}
