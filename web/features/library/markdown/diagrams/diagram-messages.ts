/** What the page asks the diagram frame to draw. */
export interface DiagramRequest {
  readonly id: number;
  readonly source: string;
  /** Mermaid's theme variables. */
  readonly colours: Readonly<Record<string, string | boolean>>;
}

/** A drawn diagram; its sizes are in CSS pixels. */
export interface DiagramImage {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** What became of a request: a picture, or what is wrong with its source. */
export type DiagramOutcome = { readonly image: DiagramImage } | { readonly fault: string };

/** What the frame says: that it can draw, and what became of a request. */
export type DiagramAnswer = { readonly isReady: true } | ({ readonly id: number } & DiagramOutcome);
