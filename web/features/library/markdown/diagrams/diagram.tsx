import { CodeXml, Maximize2, Workflow } from "lucide-react";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { cx } from "#web/ui/cx.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { ToolbarButton } from "#web/ui/toolbar-button.tsx";
import type { DiagramImage } from "./diagram-messages.ts";

/** CSS pixels of the highest diagram that takes its own room. */
const HIGHEST = 560;

export type DiagramProps = {
  source: string;
  /** True while it is still written. */
  open: boolean;
  /** True where nothing else is shown, so nothing moves when it takes its own height. */
  isAlone?: boolean;
  /** Called with what is wrong with a source that cannot be drawn. */
  onFault?: (fault: string) => void;
};

/**
 * A mermaid diagram, or its source while it is written, where it has a fault and on request. All in a text have the same
 * height, so nothing moves when one is drawn and it is as high on each visit; it is fitted in until it is enlarged.
 */
export function Diagram({ source, open, isAlone = false, onFault }: DiagramProps) {
  const state = useDiagram(source, open);
  const notify = useEffectEvent((fault: string) => onFault?.(fault));
  useEffect(() => {
    if (state.status === "failed") notify(state.fault);
  }, [state]);
  const [view, setView] = useState<"diagram" | "source">("diagram");
  const [isEnlarged, setIsEnlarged] = useState(false);
  const drawn = state.status === "drawn" && view === "diagram" ? state : undefined;
  const isFitted = isAlone && drawn !== undefined && !isEnlarged;
  return (
    <div className="overflow-clip rounded-12 border border-line bg-s2">
      <div className="flex h-34 items-center gap-4 border-b border-line pr-6 pl-14 touch:h-44">
        <span className="min-w-0 flex-1 truncate text-12 text-ink2">
          {state.status === "failed" ? "mermaid, cannot be drawn" : "mermaid"}
        </span>
        {state.status === "drawn" && (
          <>
            {drawn && (
              <ToolbarButton
                icon={Maximize2}
                label="Enlarge"
                name="Enlarge diagram"
                pressed={isEnlarged}
                onClick={() => setIsEnlarged(!isEnlarged)}
              />
            )}
            <ToolbarButton icon={Workflow} label="Diagram" pressed={view === "diagram"} onClick={() => setView("diagram")} />
            <ToolbarButton icon={CodeXml} label="Source" pressed={view === "source"} onClick={() => setView("source")} />
          </>
        )}
        <CopyButton label="Copy" name="Copy code" text={() => source} />
      </div>
      <ScrollRegion
        label="Diagram"
        className={cx("overflow-auto px-14 py-10 outline-offset-[-2px]!", !isFitted && !(drawn && isEnlarged) && "h-300")}
      >
        {drawn ? (
          <img
            src={drawn.url}
            alt={`Diagram: ${source}`}
            width={drawn.image.width}
            height={drawn.image.height}
            className={cx("mx-auto", isEnlarged ? "max-w-none" : !isFitted && "size-full object-scale-down")}
            style={isFitted ? fitted(drawn.image) : undefined}
          />
        ) : (
          <pre className="font-mono text-13">
            <code>{source}</code>
          </pre>
        )}
      </ScrollRegion>
    </div>
  );
}

/** As wide and high as there is room, in its own proportions, from before its picture is loaded. */
function fitted({ width, height }: { width: number; height: number }) {
  return { width: `min(100%, ${Math.min(width, (HIGHEST * width) / height)}px)`, height: "auto", aspectRatio: `${width} / ${height}` };
}

/** A diagram on its way to the screen. */
type DiagramState = { status: "waiting" } | { status: "failed"; fault: string } | { status: "drawn"; image: DiagramImage; url: string };

/** Draws a diagram once its source is complete, again when the theme changes. */
function useDiagram(source: string, open: boolean): DiagramState {
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
