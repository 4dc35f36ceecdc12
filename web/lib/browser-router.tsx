import { type ReactNode, startTransition, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Navigator, Router, UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router";

/**
 * The router over the browser's history. The package's own shares a file with forms, fetchers and a server's routes,
 * which would all come with it. A change of place gives way to what is typed meanwhile, unless `flushSync` asks for it at once.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ action, location }, setPlace] = useState({ action: history.action, location: history.location });
  const isUrgent = useRef(false);
  useLayoutEffect(
    () => history.listen((place) => (isUrgent.current ? setPlace(place) : startTransition(() => setPlace(place)))),
    [history],
  );
  const navigator = useMemo<Navigator>(
    () => ({
      createHref: (to) => history.createHref(to),
      encodeLocation: (to) => history.encodeLocation(to),
      go: (steps) => history.go(steps),
      push: (to, state) => history.push(to, state),
      replace(to, state, options) {
        isUrgent.current = options?.flushSync === true;
        history.replace(to, state);
        isUrgent.current = false;
      },
    }),
    [history],
  );
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  );
}
