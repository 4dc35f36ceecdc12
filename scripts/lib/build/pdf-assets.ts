import { existsSync } from "node:fs";
import { cp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { normalizePath, type Plugin } from "vite";
import { inRoot } from "../paths.ts";

const PACKAGE = inRoot("node_modules", "pdfjs-dist");
/** The package's folders whose files PDF.js asks for, and for nothing else of it. */
const FOLDERS = ["cmaps", "standard_fonts"];
const FETCHER = normalizePath(inRoot("worker", "library", "attachments", "readers", "pdf-file.ts"));
/** How a module names one of the files while the product is developed. */
const NAMED = "/virtual-pdf-file/";
const DEVELOPMENT = `export async function fetchPdfFile(_, path) {
  const file = await import(/* @vite-ignore */ "${NAMED}" + path.split("/").slice(-2).join("/"));
  return Uint8Array.from(atob(file.default), (character) => character.charCodeAt(0));
}`;

/**
 * Puts PDF.js's tables of characters and its fonts among the static files, where worker/library/attachments/readers/pdf-files.ts looks for
 * them: they come from `pdfjs-dist`, as `unpdf` has the code alone. While developing they come as modules.
 */
export function pdfAssets(): Plugin {
  return {
    name: "pdf-assets",
    enforce: "pre",
    async generateBundle() {
      if (this.environment.name !== "client") return;
      const root = await folderOfVersion();
      for (const folder of FOLDERS) {
        for (const name of await readdir(join(PACKAGE, folder))) {
          this.emitFile({ type: "asset", fileName: `${root}/${folder}/${name}`, source: await readFile(join(PACKAGE, folder, name)) });
        }
      }
    },
    resolveId: (id) => (id.startsWith(NAMED) ? `\0${id}` : null),
    async load(id) {
      if (id.startsWith(`\0${NAMED}`)) {
        const bytes = await readFile(join(PACKAGE, id.slice(NAMED.length + 1)));
        return `export default ${JSON.stringify(bytes.toString("base64"))};`;
      }
      return id === FETCHER && this.environment.mode === "dev" ? { moduleType: "js", code: DEVELOPMENT, map: null } : null;
    },
  };
}

/** Copies those files into a folder of static files, unless they are there. */
export async function copyPdfAssets(directory: string): Promise<void> {
  const target = join(directory, await folderOfVersion());
  if (existsSync(target)) return;
  const draft = `${target}.${process.pid}`;
  for (const folder of FOLDERS) await cp(join(PACKAGE, folder), join(draft, folder), { recursive: true });
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  });
}

async function folderOfVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  return `assets/pdfjs-${version}`;
}
