import tailwindcss from "@tailwindcss/vite";
import postcss, { AtRule, type ChildNode, Declaration, type Node, Rule } from "postcss";
import { build } from "vite";
import { filesUnder, readText } from "#test/architecture/sources.ts";
import { inRoot } from "../paths.ts";
import { type Lacking, lackingAt, namesAt, placeAt } from "./compat.ts";
import type { Finding } from "./exceptions.ts";
import { BUILD_TARGET } from "./oldest.ts";

/** What a style sheet uses, and the words that a condition or the sources have for it. */
type Use = { lacking: Lacking; words: string[] };

/** Where a use stands that has these words, in a rule for these classes. */
type Locate = (words: string[], classes: string[]) => { path: string; line: number };

const FUNCTIONS = new Map<string, string[]>();
for (const kind of namesAt("css", "types")) {
  for (const name of namesAt("css", "types", kind)) {
    const plain = name.replace(/[-_]function$/, "");
    if (!FUNCTIONS.has(plain)) FUNCTIONS.set(plain, ["css", "types", kind, name]);
  }
}
for (const name of namesAt("css", "types")) FUNCTIONS.set(name, ["css", "types", name]);

const UNITS: [unit: RegExp, name: string][] = [
  [/^d(?:v[hwib]|vmin|vmax)$/, "viewport_percentage_units_dynamic"],
  [/^l(?:v[hwib]|vmin|vmax)$/, "viewport_percentage_units_large"],
  [/^s(?:v[hwib]|vmin|vmax)$/, "viewport_percentage_units_small"],
  [/^cq(?:[hwib]|min|max)$/, "container_query_length_units"],
];

/** The product's style sheets as they are built, each with the classes that its sources name. */
export async function buildStyles(): Promise<string[]> {
  const sheets = filesUnder("web").filter((path) => path.endsWith(".css") && !path.startsWith("web/styles/"));
  const built = await build({
    configFile: false,
    envFile: false,
    publicDir: false,
    root: inRoot("web"),
    logLevel: "error",
    plugins: [tailwindcss()],
    build: { write: false, target: BUILD_TARGET, rolldownOptions: { input: sheets.map((path) => inRoot(path)) } },
  });
  return [built]
    .flat()
    .flatMap((output) =>
      ("output" in output ? output.output : []).flatMap((file) =>
        file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : [],
      ),
    );
}

/** What a style sheet uses that the oldest browsers lack, unless it asks for that first, or says before what they take in its place. */
export function findInStyles(css: string, locate: Locate): Finding[] {
  const findings = new Map<string, Finding>();
  postcss.parse(css).walk((node) => {
    for (const { lacking, words } of usesOf(node)) {
      if (isAskedFor(node, words) || isAmongSupported(node, lacking)) continue;
      const place = locate(words, classesOf(node));
      findings.set(`${lacking.feature} ${place.path} ${place.line}`, { ...lacking, path: place.path, line: place.line });
    }
  });
  return [...findings.values()];
}

function usesOf(node: ChildNode): Use[] {
  if (node instanceof AtRule) return ofAtRule(node);
  if (node instanceof Rule) return ofSelector(node);
  return node instanceof Declaration ? ofDeclaration(node) : [];
}

function use(words: string[], ...path: string[]): Use[] {
  const lacking = lackingAt(...path);
  return lacking ? [{ lacking, words }] : [];
}

function ofAtRule({ name, params }: AtRule): Use[] {
  const features = name === "media" ? [...params.matchAll(/\(\s*(?:(?:min|max)-)?([a-z-]+)/g)].map(([, feature = ""]) => feature) : [];
  return [
    ...use([`@${name}`], "css", "at-rules", name),
    ...features.flatMap((feature) => use([feature], "css", "at-rules", "media", feature)),
    ...(name === "container" && params.includes("style(")
      ? use(["style("], "css", "at-rules", name, "style_queries_for_custom_properties")
      : []),
    ...(name === "container" && params.includes("scroll-state(")
      ? use(["scroll-state("], "css", "at-rules", name, "scroll-state_queries")
      : []),
    ...(name === "supports" ? [] : ofValue(params)),
  ];
}

function ofSelector({ selector, parent }: Rule): Use[] {
  if (parent instanceof AtRule && parent.name.endsWith("keyframes")) return [];
  // What stands in :is() and :where() is left out alone where it is not known.
  const plain = selector
    .replaceAll(/\\./g, "")
    .replaceAll(/"[^"]*"|'[^']*'/g, "")
    .replaceAll(/:(?:is|where)\((?:[^()]|\([^()]*\))*\)/g, "");
  return [
    ...[...plain.matchAll(/::?([a-z][a-z-]*)/g)].flatMap(([, name = ""]) => use([`:${name}`, name], "css", "selectors", name)),
    ...(plain.includes("&") ? use(["&"], "css", "selectors", "nesting") : []),
  ];
}

function ofDeclaration({ prop, value, parent }: Declaration): Use[] {
  if (prop.startsWith("--")) return ofValue(value);
  // One browser's own, which the others do without.
  if (prop.startsWith("-")) return [];
  const descriptor = parent instanceof AtRule ? ["css", "at-rules", parent.name, prop] : [];
  if (placeAt(...descriptor)?.__compat) return use([prop], ...descriptor);
  const isPrefixed = parent?.some((other) => other instanceof Declaration && other.prop.startsWith("-") && other.prop.endsWith(`-${prop}`));
  const whole = isPrefixed ? [] : use([prop], "css", "properties", prop);
  // Whatever no browser knows there is a face's name.
  if (prop === "font-family") return whole;
  const keywords = isPrefixed ? [] : (value.match(/(?<![\w-])[a-z][a-z-]*(?![\w-]*\()/g) ?? []);
  return whole.length > 0
    ? whole
    : [...keywords.flatMap((word) => use([word, prop], "css", "properties", prop, word)), ...ofValue(value, prop)];
}

/** Of functions and units, which stand in any value. */
function ofValue(value: string, prop = ""): Use[] {
  const plain = value.replaceAll(/url\([^)]*\)|"[^"]*"|'[^']*'/g, "");
  const functions = [...plain.matchAll(/(?<![\w-])([a-z][a-z-]*)\((\s*from\b)?/g)].flatMap(([, name = "", from]) => [
    ...use([`${name}(`], ...(FUNCTIONS.get(name) ?? ["css", "properties", prop, name])),
    ...(from ? use([`${name}(from`], "css", "types", "color", name, "relative_syntax") : []),
  ]);
  const units = [...plain.matchAll(/(?<![\w#-])[\d.]+([a-z]+)\b/gi)].flatMap(([, unit = ""]) =>
    use([unit], "css", "types", "length", UNITS.find(([known]) => known.test(unit))?.[1] ?? unit),
  );
  return [...functions, ...units];
}

/** True under a condition that names it, and where an earlier declaration of the same property stands for browsers that drop this one. */
function isAskedFor(node: ChildNode, words: string[]): boolean {
  if (node instanceof Declaration && !words.every((word) => word === node.prop)) {
    const others = node.parent?.nodes ?? [];
    const earlier = others.slice(0, others.indexOf(node));
    if (
      earlier.some((other) => other instanceof Declaration && other.prop === node.prop && !words.some((word) => other.value.includes(word)))
    )
      return true;
  }
  for (let parent: Node | undefined = node.parent; parent; parent = parent.parent) {
    if (parent instanceof AtRule && parent.name === "supports" && words.some((word) => parent.params.includes(word))) return true;
  }
  return false;
}

/** True under a condition that no browser meets which lacks it. */
function isAmongSupported(node: ChildNode, { lacks }: Lacking): boolean {
  for (let parent: Node | undefined = node.parent; parent; parent = parent.parent) {
    if (!(parent instanceof AtRule) || parent.name !== "supports" || /\bnot\b/.test(parent.params)) continue;
    const [, prop = "", value = ""] = /^\s*\(\s*([\w-]+)\s*:(.*)\)\s*$/.exec(parent.params) ?? [];
    const unmet = ofDeclaration(postcss.decl({ prop, value }));
    if (unmet.some(({ lacking }) => [...lacks.keys()].every((browser) => lacking.lacks.has(browser)))) return true;
  }
  return false;
}

/** The classes of the rule around it, or of the first one in it. */
function classesOf(node: ChildNode): string[] {
  let rule: Node | undefined = node;
  while (rule && !(rule instanceof Rule)) rule = rule.parent;
  if (!rule && node instanceof AtRule) node.walkRules((inner) => void (rule ??= inner));
  const selector = rule instanceof Rule ? rule.selector : "";
  return Array.from(selector.matchAll(/\.((?:\\.|[\w-])+)/g), ([, name = ""]) => name.replaceAll(/\\(.)/g, "$1"));
}

/** Finds where a file or a folder's sources say a thing: a class in the code that names it, anything else in the style. */
export function placesIn(place: string): Locate {
  const isFile = /\.\w+$/.test(place);
  const paths = isFile ? [place] : filesUnder(place).filter((path) => /\.(?:css|tsx?|html)$/.test(path));
  const lines = paths.flatMap((path) =>
    readText(path)
      .split("\n")
      .map((text, index) => ({ text, path, line: index + 1 })),
  );
  const styles = lines.filter(({ path }) => isFile || path.endsWith(".css"));
  const inCode = new Map<string, (typeof lines)[number]>();
  for (const line of isFile ? [] : lines.filter(({ path }) => !path.endsWith(".css"))) {
    for (const word of line.text.split(/["'`\s]/)) if (!inCode.has(word)) inCode.set(word, line);
  }
  return (words, classes) => {
    const generated = classes.filter((name) => !styles.some(({ text }) => text.includes(`.${name}`)));
    const found =
      generated.map((name) => inCode.get(name)).find((line) => line) ??
      styles.find(({ text }) => words.every((word) => text.includes(word))) ??
      styles.find(({ text }) => words.some((word) => text.includes(word)));
    return found ?? { path: styles[0]?.path ?? place, line: 1 };
  };
}
