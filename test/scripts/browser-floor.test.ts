import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "#test/architecture/sources.ts";
import { findInCode } from "../../scripts/lib/browser-floor/code.ts";
import { EXCEPTIONS, lineOf, withoutExceptions } from "../../scripts/lib/browser-floor/exceptions.ts";
import { BUILD_TARGET, OLDEST } from "../../scripts/lib/browser-floor/oldest.ts";
import { findInStyles } from "../../scripts/lib/browser-floor/styles.ts";
import { checkSteps } from "../../scripts/lib/check-steps.ts";
import { inRoot } from "../../scripts/lib/paths.ts";

/** The features that a file of these lines uses and may not, each by its line. */
async function featuresOf(lines: string[]): Promise<string[]> {
  const folder = await mkdtemp(inRoot("node_modules", ".floor-"));
  try {
    const compilerOptions = { lib: ["ESNext", "DOM", "DOM.Iterable"], target: "ESNext", module: "ESNext", jsx: "preserve", types: [] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.tsx"] }));
    await writeFile(join(folder, "probe.tsx"), lines.join("\n"));
    return findInCode([join(folder, "tsconfig.json")], (path) => path.endsWith("/probe.tsx")).map(
      ({ line, feature }) => `${line} ${feature}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function stylesOf(css: string): string[] {
  return findInStyles(css, () => ({ path: "probe.css", line: 1 })).map(({ feature }) => feature);
}

test("what the oldest browsers lack in code is found as a global, a member, a static, an event, an attribute, a style and a pattern", async () => {
  expect(
    await featuresOf([
      `declare const box: HTMLElement;`,
      `export const a = Array.fromAsync([1]);`,
      `export const b = [1].values().map(String);`,
      `export const c = new Set([1]).union(new Set([2]));`,
      `export const d = RegExp.escape("a");`,
      `export const e = URL.parse("a");`,
      `export const f = new Uint8Array(1).toBase64();`,
      `export const g = new Highlight();`,
      `void navigator.clearAppBadge();`,
      `document.startViewTransition(() => undefined);`,
      `document.body.moveBefore(box, null);`,
      `box.addEventListener("scrollend", () => undefined);`,
      `box.style.fieldSizing = "content";`,
      `box.style.setProperty("field-sizing", "content");`,
      `export const h = /(?i:a)b/;`,
      `export const i = new Intl.DurationFormat("en");`,
      `export const j = <dialog closedby="any" style={{ fieldSizing: "content" }} />;`,
      `export const k = navigator["clearAppBadge"]();`,
    ]),
  ).toEqual([
    "2 javascript.builtins.Array.fromAsync",
    "3 javascript.builtins.Iterator.map",
    "4 javascript.builtins.Set.union",
    "5 javascript.builtins.RegExp.escape",
    "6 api.URL.parse_static",
    "7 javascript.builtins.Uint8Array.toBase64",
    "8 api.Highlight",
    "9 api.Navigator.clearAppBadge",
    "10 api.Document.startViewTransition",
    "11 api.Document.moveBefore",
    "12 api.Document.scrollend_event",
    "13 css.properties.field-sizing",
    "14 css.properties.field-sizing",
    "15 javascript.regular_expressions.modifier",
    "16 javascript.builtins.Intl.DurationFormat",
    "17 html.elements.dialog.closedby",
    "17 css.properties.field-sizing",
    "18 api.Navigator.clearAppBadge",
  ]);
});

test("what the oldest browsers lack in code may be used once it is looked for", async () => {
  expect(
    await featuresOf([
      `declare const box: HTMLElement;`,
      `if ("clearAppBadge" in navigator) void navigator.clearAppBadge();`,
      `export const a = typeof Highlight === "undefined" ? null : new Highlight();`,
      `document.startViewTransition?.(() => undefined);`,
      `export const b = "startViewTransition" in document && document.startViewTransition();`,
      `const canMove = "moveBefore" in Element.prototype;`,
      `if (canMove) document.body.moveBefore(box, null);`,
      `export function early() {`,
      `  if (!Array.fromAsync) return null;`,
      `  return () => Array.fromAsync([1]);`,
      `}`,
      `export const c = () => {`,
      `  try {`,
      `    return RegExp.escape("a");`,
      `  } catch {`,
      `    return "a";`,
      `  }`,
      `};`,
    ]),
  ).toEqual([]);
});

test("what the oldest browsers lack in code is not what they have, nor what is called the same", async () => {
  expect(
    await featuresOf([
      `declare const box: HTMLElement;`,
      `export const a = Map.groupBy([1], String);`,
      `export const b = URL.canParse("a") && box.checkVisibility() && [1].at(-1);`,
      `export const c = Promise.withResolvers<void>();`,
      `export const d = new Intl.Segmenter("en").segment("a");`,
      `export const e = CSS.escape("a") + [1].map(String).join("") + structuredClone("a");`,
      `export const f = /(?<=a)b/v;`,
      `export const g = { union: (other: number) => other, clearAppBadge: () => 1 };`,
      `export const h = g.union(1) + g.clearAppBadge();`,
    ]),
  ).toEqual([]);
});

test("what they lack in styles is found as a property, a value, a function, a unit, a selector, a rule, a condition and a descriptor", () => {
  expect(stylesOf(".a { field-sizing: content; }")).toEqual(["css.properties.field-sizing"]);
  expect(stylesOf(".a { text-wrap: pretty; }")).toEqual(["css.properties.text-wrap.pretty"]);
  expect(stylesOf(".a { color: light-dark(red, blue); }")).toEqual(["css.types.color.light-dark"]);
  expect(stylesOf(".a { --b: light-dark(red, blue); }")).toEqual(["css.types.color.light-dark"]);
  expect(stylesOf(".a { width: 1rcap; }")).toEqual(["css.types.length.rcap"]);
  expect(stylesOf(".a:open, ::details-content { color: red; }")).toEqual(["css.selectors.open", "css.selectors.details-content"]);
  expect(stylesOf("@starting-style { .a { opacity: 0; } }")).toEqual(["css.at-rules.starting-style"]);
  expect(stylesOf("@media (prefers-reduced-data: reduce) { .a { opacity: 0; } }")).toEqual(["css.at-rules.media.prefers-reduced-data"]);
  expect(stylesOf("@container scroll-state(stuck: top) { .a { opacity: 0; } }")).toEqual(["css.at-rules.container.scroll-state_queries"]);
  expect(stylesOf("@font-face { font-family: a; size-adjust: 90%; ascent-override: 90%; }")).toEqual([
    "css.at-rules.font-face.ascent-override",
  ]);
  expect(stylesOf(".a { @media print { field-sizing: content; } }")).toEqual(["css.properties.field-sizing"]);
});

test("what they lack in styles may be used under a condition, behind what is taken in its place, and in a list that leaves it out alone", () => {
  expect(stylesOf("@supports (field-sizing: content) { .a { field-sizing: content; } }")).toEqual([]);
  expect(stylesOf("@supports (animation-timeline: view()) { .a { view-timeline: --a; animation-range: entry; } }")).toEqual([]);
  expect(stylesOf("@supports (display: grid) { .a { view-timeline: --a; } }")).toEqual(["css.properties.view-timeline"]);
  expect(stylesOf("@supports not (animation-timeline: view()) { .a { view-timeline: --a; } }")).toEqual(["css.properties.view-timeline"]);
  expect(stylesOf(".a { color: red; color: light-dark(red, blue); }")).toEqual([]);
  expect(stylesOf(".a { -webkit-user-select: none; user-select: none; }")).toEqual([]);
  expect(stylesOf(".a:is([open], :open) { color: red; }")).toEqual([]);
});

test("what they lack in styles is not what they have", () => {
  const known = "@property --a { syntax: '<length>'; inherits: false; initial-value: 0px; }";
  expect(
    stylesOf(
      `${known} .a:has(b) { height: 1dvh; color: color-mix(in oklab, red, blue); width: clamp(1px, 2em, 3px); fill: oklch(from red l c h); inset: 0; }`,
    ),
  ).toEqual([]);
});

test("a finding says where it stands and since when each of the browsers has it, and none is silent but by an exception", () => {
  const [finding] = findInStyles(".a { field-sizing: content; }", () => ({ path: "web/a.css", line: 3 }));
  expect(finding && lineOf(finding)).toMatch(
    /^web\/a\.css:3 css\.properties\.field-sizing is lacking in Chrome 120 \(it came with 123\), /,
  );
  const found = finding ? [finding] : [];
  const exception = { feature: "css.properties.field-sizing", why: "-" };
  expect(withoutExceptions(found, [exception])).toEqual({ left: [], unused: [] });
  expect(withoutExceptions(found, [{ ...exception, path: "web/b.css" }]).left).toEqual(found);
  expect(withoutExceptions([], [exception]).unused).toEqual([exception]);
  expect(EXCEPTIONS.filter(({ why }) => why.length < 10)).toEqual([]);
});

test("the documents, the page that older browsers read, and the build name the same browsers", () => {
  const { chrome, edge, firefox, safari, ios } = OLDEST;
  expect([chrome, safari]).toEqual([edge, ios]);
  expect(readText("README.md")).toContain(`Chrome and Edge ${chrome}, Firefox ${firefox}, and Safari and iOS ${safari}`);
  expect(readText("web/index.html")).toContain(`Chrome or Edge ${chrome}, Firefox ${firefox}, Safari or iOS ${safari}`);
  expect(BUILD_TARGET).toEqual(["chrome120", "edge120", "firefox128", "safari17.4", "ios17.4"]);
  expect(checkSteps().flatMap(({ args }) => args)).toContain("scripts/browser-floor.ts");
});
