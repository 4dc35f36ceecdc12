import { useEffect, useEffectEvent } from "react";

function layerOf(state: unknown): unknown {
  return typeof state === "object" && state !== null && "layer" in state ? state.layer : undefined;
}

function push(layer: string): void {
  const state: unknown = history.state;
  history.pushState({ ...(typeof state === "object" ? state : null), layer }, "");
}

/** Settles when a step back that this module took has arrived: the browser takes it later than it is asked. */
let settled: Promise<void> = Promise.resolve();

function stepBack(): void {
  settled = new Promise((resolve) => {
    window.addEventListener("popstate", () => resolve(), { once: true });
  });
  history.back();
}

/** While `open`, the browser's Back closes this layer instead of leaving the page. */
export function useBackCloses(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    const layer = crypto.randomUUID();
    let state: "waiting" | "pushed" | "gone" = "waiting";
    // Later than this task, so an effect that is undone at once leaves no entry behind.
    void settled.then(() => {
      if (state !== "waiting") return;
      state = "pushed";
      push(layer);
    });
    const onPop = () => {
      if (state === "pushed" && layerOf(history.state) !== layer) onBack();
    };
    window.addEventListener("popstate", onPop);
    return () => {
      state = "gone";
      window.removeEventListener("popstate", onPop);
      if (layerOf(history.state) === layer) stepBack();
    };
  }, [open]);
}
