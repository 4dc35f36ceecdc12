type Child = Node | string | null | false;
type Props = Record<string, string | number | boolean | ((event: Event) => void) | null | undefined>;

/** An element with its attributes, its listeners (`onclick: …`) and its children; nothing is ever read as HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

const PATHS = {
  back: "M15 5l-7 7 7 7",
  plus: "M12 5v14M5 12h14",
  send: "M4 12l16-8-6 16-3-6-7-2z",
  mic: "M12 4a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3zM6 11v1a6 6 0 0 0 12 0v-1M12 18v3",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01",
  more: "M12 6h.01M12 12h.01M12 18h.01",
  list: "M9 6h11M9 12h11M9 18h11M5 6h.01M5 12h.01M5 18h.01",
  reply: "M10 8L5 12l5 4v-3c5 0 8 1 10 4 0-6-4-8-10-8z",
  copy: "M9 9h10v11H9zM6 15H5V4h10v1",
  close: "M6 6l12 12M18 6L6 18",
  place: "M12 21c5-6 7-9 7-12a7 7 0 0 0-14 0c0 3 2 6 7 12zM12 9h.01",
} as const;

export type IconName = keyof typeof PATHS;

/** A line icon of 24 pixels, for the eye alone. */
export function icon(name: IconName, size = 22): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = {
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.9,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
