import { useEffect, useState, useSyncExternalStore } from "react";
import type { DiagramImage } from "./diagram-messages.ts";

/** A diagram on its way to the screen. */
export type DiagramState =
  | { status: "waiting" }
  | { status: "failed"; fault: string }
  | { status: "drawn"; image: DiagramImage; url: string };

/** Draws a diagram once its source is complete, again when the theme changes. */
export function useDiagram(source: string, open: boolean): DiagramState {
  const theme = usePageTheme();
  const [state, setState] = useState<DiagramState>({ status: "waiting" });

  useEffect(() => {
    if (open) return;
    let url: string | undefined;
    let isCurrent = true;
    const drawing = import("./draw-diagram.ts").then(({ drawDiagram }) => drawDiagram(source, theme));
    drawing.then(
      (image) => {
        if (!isCurrent) return;
        url = URL.createObjectURL(new Blob([image.svg], { type: "image/svg+xml" }));
        setState({ status: "drawn", image, url });
      },
      (error: unknown) => {
        if (isCurrent) setState({ status: "failed", fault: error instanceof Error ? error.message : "" });
      },
    );
    return () => {
      isCurrent = false;
      if (url) URL.revokeObjectURL(url);
    };
  }, [source, open, theme]);

  return state;
}

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** The theme that the page shows now, for what is drawn in its colours once. */
function usePageTheme(): string {
  return useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset["theme"] ?? "light",
    () => "light",
  );
}
