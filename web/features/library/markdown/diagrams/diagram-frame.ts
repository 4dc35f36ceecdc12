/**
 * Runs inside the sandboxed frame that draws diagrams. Mermaid has to put text from a chat into a page to measure it,
 * and does so by `innerHTML`; here that page has an origin of its own, without cookies, storage or a way to the app.
 */
// Before mermaid, whose sanitiser asks for its policy as it loads.
import "./frame-policy.ts";
import mermaid from "mermaid";
import type { DiagramAnswer, DiagramImage, DiagramRequest } from "./diagram-messages.ts";

/** Characters of a fault that are reported. */
const FAULT_LENGTH = 1_000;

let last: Promise<unknown> = Promise.resolve();

addEventListener("message", ({ data, source }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return;
  // Mermaid keeps its configuration in one place, so diagrams are drawn one after the other.
  last = last
    .then(() => draw(data))
    .then(
      (image) => answer({ id: data.id, image }),
      (error: unknown) => answer({ id: data.id, fault: (error instanceof Error ? error.message : "").slice(0, FAULT_LENGTH) }),
    );
});

answer({ isReady: true });

/** The frame's own origin is opaque and it cannot know the page's; only its parent can receive this. */
function answer(message: DiagramAnswer) {
  parent.postMessage(message, "*");
}

async function draw({ id, source, colours }: DiagramRequest): Promise<DiagramImage> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    // Labels are SVG text: an image draws no foreign elements reliably.
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
    themeVariables: { ...colours, fontSize: "14px", dropShadow: "none" },
  });
  const { svg: markup } = await mermaid.render(`diagram-${id}`, source);
  const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  const [, , width = Number.NaN, height = Number.NaN] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (svg.nodeName !== "svg" || !(width > 0 && height > 0)) throw new Error("The diagram has no size.");
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.removeAttribute("style");
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}
