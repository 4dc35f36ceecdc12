import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";

const PARAM = "setup";
const WHATSAPP = "whatsapp";
/** True where opening made the entry of the history, so closing can step back over it. */
const opening = z.looseObject({ setupOpened: z.boolean() });

/** Where the set-up is open, for links from outside the page. */
export const SETUP_URL = `/?${PARAM}=${WHATSAPP}`;

/** The set-up of WhatsApp as the address says it: `?setup=whatsapp`. Opening adds a history entry, so Back leads out again. */
export function useSetupAddress() {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const at = (value: string | null): string => {
    const next = new URLSearchParams(location.search);
    if (value === null) next.delete(PARAM);
    else next.set(PARAM, value);
    return next.size === 0 ? location.pathname : `${location.pathname}?${next}`;
  };
  const opened = opening.safeParse(location.state);
  const isStep = opened.success && opened.data.setupOpened;
  return {
    isOpen: query.get(PARAM) === WHATSAPP,
    open: ({ replace = false } = {}) => void navigate(at(WHATSAPP), { replace, state: replace ? null : { setupOpened: true } }),
    close: () => void (isStep ? navigate(-1) : navigate(at(null), { replace: true })),
  };
}
