import { useLocation, useNavigate, useSearchParams } from "react-router";
import * as z from "zod/mini";

export const SettingsTab = z.enum(["general", "models", "appearance"]);
export type SettingsTab = z.infer<typeof SettingsTab>;

const PARAM = "settings";
/** Marks the history entry that opening made, so that closing can step back over it. */
const Opened = z.object({ settingsOpened: z.literal(true) });

/** The settings as the address says it: `?settings=models`. Opening adds a history entry, so Back closes. */
export function useSettings() {
  const [query] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const parsed = SettingsTab.safeParse(query.get(PARAM));
  const at = (tab: SettingsTab | null): string => {
    const next = new URLSearchParams(location.search);
    if (tab === null) next.delete(PARAM);
    else next.set(PARAM, tab);
    return next.size === 0 ? location.pathname : `${location.pathname}?${next}`;
  };
  const opened = Opened.safeParse(location.state).success;
  return {
    /** The open tab, or null. */
    tab: parsed.success ? parsed.data : null,
    open: (tab: SettingsTab, { replace = false } = {}) =>
      void navigate(at(tab), { replace, state: replace ? null : { settingsOpened: true } }),
    change: (tab: SettingsTab) => void navigate(at(tab), { replace: true, state: location.state }),
    close: () => void (opened ? navigate(-1) : navigate(at(null), { replace: true })),
  };
}
