import { Diagram } from "#web/features/markdown/diagrams/diagram.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { FencedWhole } from "./kind-of.ts";

const CsvView = lazyPart(async () => (await import("./csv-view.tsx")).default);
const FrameView = lazyPart(async () => (await import("./frame-view.tsx")).default);

/** A document that is one fenced block, live: a table, a diagram, or a page in a frame of its own. */
export function KindView({ whole: { kind, source }, title, onAsk }: { whole: FencedWhole; title: string; onAsk: (error: string) => void }) {
  if (kind === "csv") return <CsvView source={source} />;
  if (kind === "mermaid") return <Diagram source={source} open={false} />;
  return <FrameView kind={kind} source={source} title={title} onAsk={onAsk} />;
}
