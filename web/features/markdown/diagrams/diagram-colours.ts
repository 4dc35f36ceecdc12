/** Mermaid's theme in the page's colours; it takes no OKLCH, so they are read as `#rrggbb`. */
export function diagramColours(): Record<string, string | boolean> {
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
