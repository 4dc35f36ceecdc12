import { useEffect, useEffectEvent } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useHotkey } from "#web/lib/hotkeys.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useSettings } from "#web/features/people/settings/use-settings.ts";

const SettingsDialog = lazyPart(async () => (await import("./settings-dialog.tsx")).default);

/** Opens the settings when the address says so; who has not signed in has the theme, and is asked to log in for teams. */
export function SettingsLayer() {
  const settings = useSettings();
  const { status, isCurrent } = useSession();
  const isOwn = status === "user";
  const open = settings.tab !== null && status !== "loading" && (isOwn || settings.tab === "appearance" || settings.tab === "teams");
  const used = useEver(open);
  useHotkey("openSettings", () => (settings.tab === null ? settings.open(isOwn ? "general" : "appearance") : settings.close()));
  // Signed out, here or in another tab, while the settings were open: they are nobody's now.
  const isSignedOutMeanwhile = settings.tab !== null && !open && isCurrent && (status === "visitor" || status === "guest");
  const drop = useEffectEvent(settings.drop);
  useEffect(() => {
    if (isSignedOutMeanwhile) drop();
  }, [isSignedOutMeanwhile]);
  if (!used) return null;
  return <SettingsDialog open={open} />;
}
