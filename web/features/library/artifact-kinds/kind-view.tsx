import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { ArtifactKind, FencedDocument } from "./kind-of.ts";

const CsvView = lazyPart(async () => (await import("./csv-view.tsx")).default);
const FrameView = lazyPart(async () => (await import("./frame-view.tsx")).default);
const MermaidView = lazyPart(async () => (await import("./mermaid-view.tsx")).default);

/** Fetches what shows a kind, so it is drawn at once. */
export function preloadKind(kind: ArtifactKind): void {
  // What cannot be fetched now is asked for again where it is shown.
  (kind === "csv" ? CsvView : kind === "mermaid" ? MermaidView : FrameView).preload().catch(() => undefined);
}

type KindViewProps = { artifactId: string; fenced: FencedDocument; title: string; onAsk: (error: string) => void };

/** A document that is one fenced block, live: a table, a diagram, or a page in a frame of its own. */
export function KindView({ artifactId, fenced: { kind, source }, title, onAsk }: KindViewProps) {
  if (kind === "csv") return <CsvView source={source} />;
  if (kind === "mermaid") return <MermaidView source={source} onAsk={onAsk} />;
  return <FrameView key={artifactId} artifactId={artifactId} kind={kind} source={source} title={title} onAsk={onAsk} />;
}
