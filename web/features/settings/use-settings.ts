import { useLocation, useNavigate } from "react-router";
import * as shape from "#web/lib/shape.ts";

const TABS = ["general", "models", "appearance", "tools"] as const;
export type SettingsTab = (typeof TABS)[number];

const PARAM = "settings";
/** Marks the history entry that opening made, so that closing can step back over it. */
const opening = shape.record({ settingsOpened: shape.flag });

/** The settings as the address says it: `?settings=models`. Opening adds a history entry, so Back closes. */
export function useSettings() {
  const location = useLocation();
  const navigate = useNavigate();
  const wanted = new URLSearchParams(location.search).get(PARAM);
  const at = (tab: SettingsTab | null): string => {
    const next = new URLSearchParams(location.search);
    if (tab === null) next.delete(PARAM);
    else next.set(PARAM, tab);
    return next.size === 0 ? location.pathname : `${location.pathname}?${next}`;
  };
  const opened = opening.safeParse(location.state).success;
  return {
    /** The open tab, or null. */
    tab: TABS.find((tab) => tab === wanted) ?? null,
    open: (tab: SettingsTab, { replace = false } = {}) =>
      void navigate(at(tab), { replace, state: replace ? null : { settingsOpened: true } }),
    change: (tab: SettingsTab) => void navigate(at(tab), { replace: true, state: location.state }),
    close: () => void (opened ? navigate(-1) : navigate(at(null), { replace: true })),
    /** Takes the settings out of the address where they are, without a step back. */
    drop: () => void navigate(at(null), { replace: true }),
  };
}
