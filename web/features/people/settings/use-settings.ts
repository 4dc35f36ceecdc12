import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";

/** The tabs, and with them the panes that stand in one of them. */
const PLACES = {
  general: "general",
  profile: "general",
  triggered: "general",
  emails: "general",
  notifications: "general",
  usage: "general",
  keys: "general",
  signins: "general",
  browsers: "general",
  data: "general",
  memory: "general",
  "memory-import": "general",
  models: "models",
  appearance: "appearance",
  tools: "tools",
  teams: "teams",
  team: "teams",
  "new-team": "teams",
} as const;
export type SettingsPlace = keyof typeof PLACES;
export type SettingsTab = (typeof PLACES)[SettingsPlace];

const PARAM = "settings";
/** How many history entries opening made, so closing can step back over them. */
const opening = z.looseObject({ settingsOpened: z.number() });

/** The settings as the address says it: `?settings=models`. Opening, and going into a pane, adds a history entry, so Back leads out again. */
export function useSettings() {
  const location = useLocation();
  const navigate = useNavigate();
  const wanted = new URLSearchParams(location.search).get(PARAM);
  const place = wanted !== null && isPlace(wanted) ? wanted : null;
  const at = (next: SettingsPlace | null): string => {
    const query = new URLSearchParams(location.search);
    if (next === null) query.delete(PARAM);
    else query.set(PARAM, next);
    return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
  };
  const opened = opening.safeParse(location.state);
  const depth = opened.success ? opened.data.settingsOpened : 0;
  return {
    /** The open tab, or null. */
    tab: place && PLACES[place],
    /** What stands in the tab. */
    place,
    open: (next: SettingsPlace, { replace = false } = {}) =>
      void navigate(at(next), { replace, state: replace ? null : { settingsOpened: 1 } }),
    change: (tab: SettingsTab) => void navigate(at(tab), { replace: true, state: location.state }),
    /** Goes into a pane of the open tab; where the settings were opened by their address there is nothing to step back over. */
    enter: (next: SettingsPlace) =>
      void navigate(at(next), depth > 0 ? { state: { settingsOpened: depth + 1 } } : { replace: true, state: location.state }),
    /** Goes back to where the pane was entered from. */
    back: (tab: SettingsPlace) => void (depth > 1 ? navigate(-1) : navigate(at(tab), { replace: true, state: location.state })),
    close: () => void (depth > 0 ? navigate(-depth) : navigate(at(null), { replace: true })),
    /** Takes the settings out of the address where they are, without a step back. */
    drop: () => void navigate(at(null), { replace: true }),
  };
}

function isPlace(value: string): value is SettingsPlace {
  return Object.hasOwn(PLACES, value);
}
