/**
 * Draws mermaid diagrams in a sandboxed frame of opaque origin (`allow-scripts` alone; diagram-frame.ts says why) and
 * returns them as SVG to be shown as an `<img>` from a blob, where an SVG runs no script and loads nothing. The frame's
 * document has a policy of its own (worker/library/diagrams/frame.ts); as its origin is opaque, it fetches the app's own script
 * files with CORS, which `web/public/_headers` allows for them.
 */
// oxlint-disable-next-line import/default -- the build makes an address of it
import frameScript from "./diagram-frame.ts?worker&url";
import { DIAGRAM_FRAME } from "#shared/trusted-types.ts";
import * as z from "zod/mini";
import type { DiagramImage, DiagramOutcome, DiagramRequest } from "./diagram-messages.ts";

/** What the frame says (diagram-messages.ts); it holds others' text, so its words are looked at as anybody's. */
const Ready = z.looseObject({ isReady: z.boolean() });
const Image = z.looseObject({ svg: z.string(), width: z.number(), height: z.number() });
const Answer = z.union([z.looseObject({ id: z.number(), image: Image }), z.looseObject({ id: z.number(), fault: z.string() })]);

interface Frame {
  readonly element: HTMLIFrameElement;
  readonly ready: Promise<void>;
}

/** Milliseconds after which a diagram counts as one that cannot be drawn; the first one loads mermaid. */
const patience = 30_000;

const cacheSize = 30;
const cache = new Map<string, Promise<DiagramImage>>();
const waiting = new Map<number, (outcome: DiagramOutcome) => void>();
let frame: Frame | undefined;
let lastId = 0;

/** Draws a diagram in the colours of the theme that is set now; rejects where the source has a fault, and says which. */
export function drawDiagram(source: string, theme: string): Promise<DiagramImage> {
  const key = `${theme}\n${source}`;
  const known = cache.get(key);
  if (known) return known;
  const image = requestImage(source);
  cache.set(key, image);
  image.catch(() => cache.delete(key));
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  return image;
}

async function requestImage(source: string): Promise<DiagramImage> {
  lastId += 1;
  const request: DiagramRequest = { id: lastId, source, colours: diagramColours() };
  frame ??= openFrame();
  const outcome = await answerFrom(frame, request);
  if ("image" in outcome) return outcome.image;
  throw new Error(outcome.fault || "The diagram cannot be drawn.");
}

function answerFrom({ element, ready }: Frame, request: DiagramRequest): Promise<DiagramOutcome> {
  return new Promise((resolve) => {
    const giveUp = () => {
      element.remove();
      if (frame?.element === element) frame = undefined;
      settle({ fault: "It took too long to draw." });
    };
    const settle = (outcome: DiagramOutcome) => {
      clearTimeout(timer);
      waiting.delete(request.id);
      resolve(outcome);
    };
    const timer = setTimeout(giveUp, patience);
    waiting.set(request.id, settle);
    // An opaque origin has no name to address it by.
    void ready.then(() => element.contentWindow?.postMessage(request, "*"));
  });
}

function openFrame(): Frame {
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", "allow-scripts");
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.style.cssText =
    "position:fixed;inset:0 auto auto 0;width:1200px;height:800px;border:0;visibility:hidden;pointer-events:none;z-index:-1";
  element.src = `${DIAGRAM_FRAME}?${new URLSearchParams({ script: frameScript }).toString()}`;
  const ready = new Promise<void>((resolve) => {
    addEventListener("message", ({ data, source }: MessageEvent<unknown>) => {
      if (!source || source !== element.contentWindow) return;
      if (Ready.safeParse(data).success) return resolve();
      const answer = Answer.safeParse(data);
      if (answer.success) waiting.get(answer.data.id)?.(answer.data);
    });
  });
  document.body.append(element);
  return { element, ready };
}

/** Mermaid's theme in the page's colours; it takes no OKLCH, so they are read as `#rrggbb`. */
function diagramColours(): Record<string, string | boolean> {
  const ink = readColour("--color-ink");
  const line = readColour("--color-line-strong");
  const paper = readColour("--color-s2");
  const soft = readColour("--color-accent-soft");
  const quiet = readColour("--color-s3");
  return {
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
  };
}

function readColour(property: string): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return "#808080";
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
