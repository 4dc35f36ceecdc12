import { createContext, type ReactNode, startTransition, use, useLayoutEffect, useState } from "react";

/** Where the page is: its address in parts, what its entry in the browser's history keeps, and a name for each arrival there. */
export type Place = { pathname: string; search: string; hash: string; state: unknown; key: string };

/** What the browser itself made has no name: the first entry, and a jump within the page. */
const UNNAMED = "unnamed";

function readPlace(): Place {
  const { pathname, search, hash } = window.location;
  const entry: unknown = window.history.state;
  const kept = typeof entry === "object" && entry !== null ? entry : {};
  return {
    pathname,
    search,
    hash,
    state: "state" in kept ? kept.state : null,
    key: "key" in kept && typeof kept.key === "string" ? kept.key : UNNAMED,
  };
}

/** Says to the page that the address is another. */
let tell: () => void = () => undefined;

/** Goes to an address of this product, with a new entry in the history or in place of the current one, or some entries back. */
export function navigate(to: string | number, { replace = false, state = null }: { replace?: boolean; state?: unknown } = {}): void {
  if (typeof to === "number") return window.history.go(to);
  const entry = { state, key: crypto.randomUUID() };
  try {
    if (replace) window.history.replaceState(entry, "", to);
    else window.history.pushState(entry, "", to);
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "DataCloneError") throw failure;
    // Safari takes a hundred entries in half a minute.
    return window.location.assign(to);
  }
  tell();
}

const PlaceContext = createContext<Place | null>(null);

/** Draws what is within anew, in slices, when the address becomes another. Once on a page. */
export function PlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(readPlace);
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setPlace(readPlace()));
    tell = follow;
    window.addEventListener("popstate", follow);
    return () => {
      tell = () => undefined;
      window.removeEventListener("popstate", follow);
    };
  }, []);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** Where the page is, as it is drawn. */
export function useLocation(): Place {
  const place = use(PlaceContext);
  if (!place) throw new Error("There is no place outside of its provider.");
  return place;
}

/** The id of the chat that a path names, or null. */
export function chatIdOf(pathname: string): string | null {
  return /^\/c\/([^/]+)\/?$/i.exec(pathname)?.[1] ?? null;
}

/** The id of the chat that is open, or null. */
export function useOpenChatId(): string | null {
  return chatIdOf(useLocation().pathname);
}
