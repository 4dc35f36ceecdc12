import { type ReactNode, startTransition, useLayoutEffect, useState } from "react";
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router";

/**
 * The router over the browser's history. The package's own shares a file with forms, fetchers and a server's routes,
 * which would all come with it.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ action, location }, setPlace] = useState({ action: history.action, location: history.location });
  useLayoutEffect(
    () =>
      history.listen((place) => {
        // A first message replaces the address under its composer: the next key pressed there is meant for the chat that it made.
        if (place.action === "REPLACE") setPlace(place);
        else startTransition(() => setPlace(place));
      }),
    [history],
  );
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
