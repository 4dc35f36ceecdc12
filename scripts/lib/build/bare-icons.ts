import { pathToFileURL } from "node:url";
import { normalizePath, type Plugin } from "vite";
import * as z from "zod";
import { inRoot } from "../paths.ts";

const ICON = /\/lucide-react\/dist\/esm\/icons\/(?!index)[\w-]+\.mjs$/;
const MAKER = normalizePath(inRoot("web", "ui", "icon.ts"));

const Shape = z.tuple([z.string(), z.record(z.string(), z.string())]);
const IconModule = z.object({ __iconData: z.object({ size: z.literal(24), node: z.array(Shape) }) });

/**
 * In the browser an icon is its lines: lucide-react's own way of making one takes two components, a context and a dozen functions for
 * options that nobody here sets, at every start and for each icon that is drawn.
 */
export function bareIcons(): Plugin {
  return {
    name: "bare-icons",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async load(id) {
      if (!ICON.test(normalizePath(id))) return null;
      const { __iconData: drawn } = IconModule.parse(await import(pathToFileURL(id).href));
      const shapes = toShapes(drawn.node).map((shape) => JSON.stringify(shape));
      return `import { icon } from ${JSON.stringify(MAKER)};\nexport default /* @__PURE__ */ icon(${shapes.join(", ")});`;
    },
  };
}

/** One line for all paths that begin at a point of their own, and the other shapes, without the keys of a list. */
function toShapes(node: z.infer<typeof Shape>[]): (string | z.infer<typeof Shape>)[] {
  const lines: string[] = [];
  const others: z.infer<typeof Shape>[] = [];
  for (const [tag, { key: _, ...attributes }] of node) {
    const { d, ...more } = attributes;
    if (tag === "path" && d?.startsWith("M") && Object.keys(more).length === 0) lines.push(d);
    else others.push([tag, attributes]);
  }
  return lines.length > 0 ? [lines.join(""), ...others] : others;
}
