/**
 * Draws mermaid diagrams as SVG images. Mermaid needs a page to measure its text in, so it runs here, in strict mode
 * and off screen; what it draws is only ever shown as an `<img>` from a blob. There an SVG runs no script, answers no
 * event and loads nothing, which the page's policy (`img-src 'self' blob:`, no inline script) allows as it is. Labels
 * are SVG text, not HTML, because an image draws no foreign elements reliably.
 */
import { readColour } from "./read-colour.ts";

/** A drawn diagram; its sizes are in CSS pixels. */
export interface DiagramImage {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

type Mermaid = (typeof import("mermaid"))["default"];

const cacheSize = 30;
const cache = new Map<string, Promise<DiagramImage>>();
let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Draws a diagram in the colours of the theme that is set now; rejects where the source has a fault. */
export function drawDiagram(source: string, theme: string): Promise<DiagramImage> {
  const key = `${theme}\n${source}`;
  const known = cache.get(key);
  if (known) return known;
  // Mermaid keeps its configuration in one place, so diagrams are drawn one after the other.
  const image = last.then(() => draw(source));
  last = image.catch(() => undefined);
  cache.set(key, image);
  image.catch(() => cache.delete(key));
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  return image;
}

async function draw(source: string): Promise<DiagramImage> {
  const { default: mermaid } = await import("mermaid");
  configure(mermaid);
  const stage = document.createElement("div");
  stage.setAttribute("aria-hidden", "true");
  stage.style.cssText = "position:fixed;inset:0 auto auto 0;width:1200px;visibility:hidden;pointer-events:none;contain:strict;height:1px";
  document.body.append(stage);
  try {
    count += 1;
    const { svg } = await mermaid.render(`diagram-${count}`, source, stage);
    return toImage(svg);
  } finally {
    stage.remove();
  }
}

function configure(mermaid: Mermaid) {
  const ink = readColour("--color-ink");
  const line = readColour("--color-line-strong");
  const paper = readColour("--color-s2");
  const soft = readColour("--color-accent-soft");
  const quiet = readColour("--color-s3");
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "suppressErrorRendering",
      "htmlLabels",
      "themeCSS",
      "fontFamily",
    ],
    // The page's own fonts do not exist inside an image.
    fontFamily: "system-ui, sans-serif",
    theme: "base",
    themeVariables: {
      darkMode: document.documentElement.dataset["theme"] === "dark",
      background: paper,
      primaryColor: soft,
      primaryTextColor: ink,
      primaryBorderColor: line,
      secondaryColor: quiet,
      tertiaryColor: quiet,
      lineColor: line,
      textColor: ink,
      mainBkg: soft,
      nodeBorder: line,
      clusterBkg: quiet,
      clusterBorder: line,
      edgeLabelBackground: paper,
      noteBkgColor: readColour("--color-signal-soft"),
      noteTextColor: ink,
      noteBorderColor: line,
      actorBkg: soft,
      actorBorder: line,
      actorTextColor: ink,
      signalColor: ink,
      signalTextColor: ink,
      labelTextColor: ink,
      fontSize: "14px",
    },
  });
}

function toImage(markup: string): DiagramImage {
  const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  const [, , width = Number.NaN, height = Number.NaN] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (svg.nodeName !== "svg" || !(width > 0 && height > 0)) throw new Error("The diagram has no size.");
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.removeAttribute("style");
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}
