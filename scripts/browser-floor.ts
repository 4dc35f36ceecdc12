import { PAGE_STYLE as REFERENCE_STYLE } from "#worker/doors/docs/page-style.ts";
import { PAGE_STYLE } from "#worker/conversation/public-page/page-style.ts";
import { findInCode } from "./lib/browser-floor/code.ts";
import { type Finding, lineOf, withoutExceptions } from "./lib/browser-floor/exceptions.ts";
import { buildStyles, findInStyles, placesIn } from "./lib/browser-floor/styles.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";

const PROJECTS = ["web", "web/service-worker"].map((folder) => inRoot(folder, "tsconfig.json"));
/** What pages outside the application look like. */
const PAGES: [path: string, style: string][] = [
  ["worker/doors/docs/page-style.ts", REFERENCE_STYLE],
  ["worker/conversation/public-page/page-style.ts", PAGE_STYLE],
];

await runMain(async () => {
  const inWeb = placesIn("web");
  const found: Finding[] = [
    ...findInCode(PROJECTS, (path) => /^(?:web|shared)\//.test(path)),
    ...(await buildStyles()).flatMap((style) => findInStyles(style, inWeb)),
    ...PAGES.flatMap(([path, style]) => findInStyles(style, placesIn(path))),
  ];
  const { left, unused } = withoutExceptions(found);
  if (left.length + unused.length === 0) return;
  throw new Error(
    [
      ...left.map(lineOf),
      ...unused.map(({ feature, path }) => `scripts/lib/browser-floor/exceptions.ts: nothing needs ${feature}${path ? ` in ${path}` : ""}`),
      "Look for it first, or say in the exceptions why it does no harm: docs/decisions/build/oldest-browsers.md.",
    ].join("\n"),
  );
});
