import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { filesUnder, readText } from "./sources.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OUTSIDE = /^[a-z]+:|^#/;
const LINK = /\]\(([^)\s]+)\)/g;
const NAMED = /`((?:docs|migrations|scripts|shared|test|web|worker)\/[\w./-]*)`/g;

/** A document, its title, and every place of the repository that it links to or names. */
export type Document = { path: string; title: string; links: string[]; named: string[] };

/** Every document of the project, in the order of their paths. */
export function readDocuments(): Document[] {
  const paths = ["README.md", "CONTRIBUTING.md", ...["docs", "test"].flatMap(filesUnder).filter((path) => path.endsWith(".md"))];
  return paths.toSorted().map((path) => {
    const text = readText(path);
    const links = Array.from(text.matchAll(LINK), ([, target = ""]) => target).filter((target) => !OUTSIDE.test(target));
    return {
      path,
      title: /^# (.*)$/m.exec(text)?.[1] ?? "",
      links: links.map((target) => join(dirname(path), target.replace(/#.*$/, "")).split(sep).join("/")),
      named: Array.from(text.matchAll(NAMED), ([, place = ""]) => place),
    };
  });
}

/** True where the repository has such a file or folder. */
export function isThere(place: string): boolean {
  return existsSync(join(ROOT, place));
}
