/** Reads a theme colour as `#rrggbb`, for libraries that do not know OKLCH. */
export function readColour(property: string): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return "#808080";
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
