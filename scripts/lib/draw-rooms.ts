import Elk, { type ElkEdgeSection, type ElkExtendedEdge, type ElkNode, type LayoutOptions } from "elkjs/lib/elk.bundled.js";
import type { Arrow, Room } from "./rooms.ts";

const LETTER = 7.4;
const HEIGHT = 26;
const PADDING = 10;
const HEADLINE = 26;
const CORNER = 5;

const STYLE = `
  svg { background: #fff; }
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
  .group > text { font-weight: 600; fill: #59636e; }
  rect { fill: #fff; stroke: #8c959f; }
  .group > rect { fill: #818b9814; stroke: #818b9855; }
  .common > rect { fill: #818b9833; stroke: #818b9833; }
  path { fill: none; stroke: #6e7781; marker-end: url(#head); }
  path.against { stroke: #cf222e; marker-end: url(#against); }
  marker path { fill: #6e7781; stroke: none; marker-end: none; }
  marker#against path { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; }
    text { fill: #e6edf3; }
    .group > text { fill: #9198a1; }
    rect { fill: #0d1117; stroke: #656c76; }
    path { stroke: #8b949e; }
    path.against { stroke: #ff7b72; }
    marker path { fill: #8b949e; }
    marker#against path { fill: #ff7b72; }
  }
`;

const LAYOUT: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.randomSeed": "1",
  "elk.separateConnectedComponents": "false",
  "elk.partitioning.activate": "true",
  "elk.layered.thoroughness": "40",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.spacing.nodeNode": "14",
  "elk.spacing.edgeNode": "10",
  "elk.spacing.edgeEdge": "7",
  "elk.layered.spacing.nodeNodeBetweenLayers": "22",
  "elk.layered.spacing.edgeNodeBetweenLayers": "9",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "7",
};

/** An SVG of the rooms as boxes in boxes, the same for the same rooms. */
export async function drawRooms(root: Room): Promise<string> {
  const layout = await new Elk().layout(toNode(root));
  const rooms = new Map(withinOf(root).map((room) => [room.path, room]));
  const size = `${round((layout.width ?? 0) + 2)} ${round((layout.height ?? 0) + 2)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 ${size}" role="img" aria-label="The rooms of the code and their imports">
<style>${STYLE}</style>
<defs>${head("head")}${head("against")}</defs>
${draw(layout, rooms)}</svg>
`;
}

function withinOf(room: Room): Room[] {
  return [room, ...room.rooms.flatMap(withinOf)];
}

function toNode(room: Room): ElkNode {
  const name = nameOf(room);
  const width = Math.ceil(name.length * LETTER) + 2 * PADDING;
  const placed = {
    id: room.path,
    layoutOptions: { "elk.partitioning.partition": room.isCommon ? "1" : "0" },
  };
  if (room.rooms.length === 0) return { ...placed, width, height: HEIGHT };
  return {
    ...placed,
    layoutOptions: {
      ...LAYOUT,
      ...placed.layoutOptions,
      "elk.padding": `[top=${room.path === "" ? PADDING : HEADLINE + 4},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${width}, ${HEIGHT})`,
      ...(room.path === "worker" && { "elk.layered.layering.layerConstraint": "LAST" }),
    },
    children: room.rooms.map(toNode),
    edges: room.arrows.map(toEdge),
  };
}

/** Turned round where it leads back, so it leads upwards in the picture. */
function toEdge({ from, to, isAgainst }: Arrow): ElkExtendedEdge {
  return { id: `${from} ${to}`, sources: [isAgainst ? to : from], targets: [isAgainst ? from : to] };
}

function nameOf({ path }: Room): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function draw(node: ElkNode, rooms: Map<string, Room>): string {
  const room = rooms.get(node.id);
  if (!room) return "";
  const inner = node.children ?? [];
  const arrows = room.arrows.map((arrow, index) => drawArrow(arrow, node.edges?.[index]?.sections ?? []));
  const within = [...arrows, ...inner.map((child) => draw(child, rooms))].join("");
  if (room.path === "") return within;
  const { x = 0, y = 0, width = 0, height = 0 } = node;
  const kind = [inner.length > 0 ? "group" : "", room.isCommon ? "common" : ""].filter((name) => name !== "").join(" ");
  const text =
    inner.length > 0
      ? `<text x="${PADDING}" y="18">${nameOf(room)}</text>`
      : `<text x="${round(width / 2)}" y="17.5" text-anchor="middle">${nameOf(room)}</text>`;
  return `<g${kind && ` class="${kind}"`} transform="translate(${round(x)} ${round(y)})"><rect width="${round(width)}" height="${round(height)}" rx="6"/>${text}${within && `\n${within}`}</g>\n`;
}

function drawArrow({ isAgainst }: Arrow, sections: ElkEdgeSection[]): string {
  return sections
    .map(({ startPoint, bendPoints = [], endPoint }) => {
      const points = [startPoint, ...bendPoints, endPoint];
      return `<path${isAgainst ? ' class="against"' : ""} d="${roundedLine(isAgainst ? points.toReversed() : points)}"/>\n`;
    })
    .join("");
}

type Point = { x: number; y: number };

function roundedLine(points: Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (!before) return `M${at(point)}`;
      if (!after) return `L${at(point)}`;
      return `L${at(towards(point, before))}Q${at(point)} ${at(towards(point, after))}`;
    })
    .join("");
}

/** A little way from a corner towards the next one. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(CORNER, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(number: number): string {
  return String(Math.round(number * 10) / 10);
}

function head(id: string): string {
  return `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 1L7 4L0 7z"/></marker>`;
}
