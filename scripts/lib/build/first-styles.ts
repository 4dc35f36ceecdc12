import { readFile } from "node:fs/promises";
import { normalizePath, type Plugin, type Rolldown } from "vite";
import { inRoot } from "../paths.ts";
import { splitSheet } from "./split-sheet.ts";

const WEB = `${normalizePath(inRoot("web"))}/`;
const IMPORTED = /\bimport\("([^"]+)"\)/g;
const IMPORTED_LATE = /\blate\(import\("([^"]+)"\)\)/g;

/**
 * The page begins with a sheet that lacks what only the modules need that are loaded with `late()` (web/ui/late.ts): dialogs and the like,
 * which bring the whole sheet along. Which classes those are is read from the code that was built, so that nobody keeps a list.
 */
export function firstStyles(): Plugin {
  /** Of each module how often it is imported lazily, and how often of those by `late()`. */
  const imports = new Map<string, { all: number; late: number }>();
  let names = { first: "", rest: "" };
  return {
    name: "first-styles",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    async transform(code, id) {
      if (!id.startsWith(WEB) || !/\.tsx?$/.test(id)) return;
      for (const [kind, pattern] of [["all", IMPORTED] as const, ["late", IMPORTED_LATE] as const]) {
        for (const [, specifier = ""] of code.matchAll(pattern)) {
          const target = (await this.resolve(specifier, id))?.id;
          if (target === undefined) continue;
          const counts = imports.get(target) ?? { all: 0, late: 0 };
          counts[kind] += 1;
          imports.set(target, counts);
        }
      }
    },
    generateBundle: {
      order: "pre",
      async handler(_, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry);
        const [name] = entry?.viteMetadata?.importedCss ?? [];
        const sheet = name === undefined ? undefined : bundle[name];
        if (!entry?.viteMetadata || name === undefined || sheet?.type !== "asset") throw new Error("The page has no sheet of its own.");
        const isLate = (module: string) => {
          const counts = imports.get(module);
          return counts !== undefined && counts.late === counts.all;
        };
        const text = `${await readFile(inRoot("web", "index.html"), "utf8")}\n${earlyCode(bundle, entry.fileName, isLate)}`;
        const split = splitSheet(sheet.source.toString(), (className) => isNamedIn(text, className));
        const emit = (file: string, source: string) => this.getFileName(this.emitFile({ type: "asset", name: file, source }));
        names = { first: emit("first.css", split.first), rest: emit("rest.css", split.rest) };
        delete bundle[name];
        entry.viteMetadata.importedCss.delete(name);
        entry.viteMetadata.importedCss.add(names.first);
      },
    },
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const link = `href="/${names.first}"`;
        if (!html.includes(link)) throw new Error("The page does not name its sheet.");
        return html.replace(link, `${link} data-rest="/${names.rest}"`);
      },
    },
  };
}

/** The product's own code that may run before anything was loaded late. */
function earlyCode(bundle: Rolldown.OutputBundle, entry: string, isLate: (module: string) => boolean): string {
  const seen = new Set<string>();
  const wanted = [entry];
  let code = "";
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    const chunk = bundle[file];
    if (seen.has(file) || chunk?.type !== "chunk") continue;
    seen.add(file);
    if (chunk.moduleIds.some((id) => id.startsWith(WEB))) code += `${chunk.code}\n`;
    wanted.push(...chunk.imports, ...chunk.dynamicImports.filter((target) => !isLateChunk(bundle[target])));
  }
  return code;

  function isLateChunk(chunk: Rolldown.OutputBundle[string] | undefined): boolean {
    return chunk?.type === "chunk" && chunk.facadeModuleId !== null && isLate(chunk.facadeModuleId);
  }
}

/** Whether a class stands in a string, alone or among others. */
function isNamedIn(text: string, className: string): boolean {
  const before = /[\s"'`}]/;
  const after = /[\s"'`$\\]/;
  for (let at = text.indexOf(className); at !== -1; at = text.indexOf(className, at + 1)) {
    if (before.test(text[at - 1] ?? " ") && after.test(text[at + className.length] ?? " ")) return true;
  }
  return false;
}
