import { type ComponentType, type ReactNode, createElement, useEffect, useState } from "react";
import { reachable } from "#web/lib/connection.ts";
import { reloadFromNetwork } from "#web/lib/reload-from-network.ts";
import { toastStore } from "./toast/toast-store.ts";

/** A component whose code comes with its first use, and how to fetch it before. */
export type LazyPart<P> = { (props: P): ReactNode; preload: () => Promise<void> };

/**
 * Within a page what `lazy` is for pages (docs/decisions/build/parts-of-pages.md): React holds back what replaces a Suspense fallback by
 * 300 ms, even when the code is there already, and that is felt in a menu. Drawn at once when preloaded;
 * where code does not come all else stays, with a notice, as browsers keep code that failed to come as failed until a reload.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>): LazyPart<P> {
  let part: ComponentType<P> | null = null;
  let pending: Promise<void> | null = null;

  const preload = () => {
    pending ??= load().then(
      (loaded) => {
        part = loaded;
      },
      (cause: unknown) => {
        pending = null;
        throw cause;
      },
    );
    return pending;
  };

  function Part(props: P): ReactNode {
    const [, setThere] = useState(part !== null);
    useEffect(() => {
      // Each in a task of its own: a page begins with several parts, and asking for one takes a slow device some milliseconds.
      // Shown also when it came between the drawing and here: what was drawn then was the fallback.
      const timer = setTimeout(() => void preload().then(() => setThere(true), noteMissing));
      return () => clearTimeout(timer);
    }, []);
    const shown = part ?? Fallback;
    return shown ? createElement(shown, props) : null;
  }
  return Object.assign(Part, { preload });
}

let isNoted = false;

/** Says once that a reload is needed: the connection broke on the way, or a newer version took the code's place. */
async function noteMissing(): Promise<void> {
  // While nothing comes at all a reload brings nothing.
  await reachable();
  if (isNoted) return;
  isNoted = true;
  toastStore.add({
    title: "Part of this page did not load",
    description: "A reload brings it. What you wrote is kept.",
    duration: null,
    action: { label: "Reload", onClick: () => void reloadFromNetwork() },
  });
}
