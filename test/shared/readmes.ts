import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Characters of a text that is long enough to have some of everything, and short enough to be grown by few characters at a time. */
const lengths = [5_000, 60_000] as const;
const most = 25;

/** What people wrote about the packages in use, by name: the longest ones. */
export const readmes: readonly (readonly [string, string])[] = globSync(["*/readme.md", "*/README.md", "@*/*/{readme,README}.md"], {
  cwd: packages,
})
  .map((path) => [path, readFileSync(`${packages}/${path}`, "utf8")] as const)
  .filter(([, text]) => text.length >= lengths[0] && text.length <= lengths[1])
  .toSorted(([, a], [, b]) => b.length - a.length)
  .slice(0, most);
