import { createHash } from "node:crypto";
import { build, normalizePath, type Plugin, type Rolldown } from "vite";
import { BUILD_TARGET } from "../browser-floor/oldest.ts";
import { inRoot } from "../paths.ts";
import { FIRST_SCREENS, idsOf } from "./first-parts.ts";

const PATH = "/sw.js";
const ENTRY = inRoot("web", "service-worker", "service-worker.ts");
/** Faces of the Latin alphabet; what others need is kept with its first use. */
const FACES = /^assets\/(?:hanken-grotesk-latin-wght-normal|newsreader-latin-wght-(?:normal|italic))-.*\.woff2$/;

/** `entry` is the file that the document runs; all are paths. */
type Shell = { name: string; entry: string; files: string[] };

/**
 * Bundles web/service-worker into `/sw.js`, which must not move with its content, and writes the files of the offline shell into it.
 * While developing it is bundled anew for each request and keeps no files, as theirs have no hashes.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    enforce: "post",
    configureServer: {
      // Before the Worker, which would answer with the page.
      order: "pre",
      handler(server) {
        server.middlewares.use((request, response, next) => {
          if (request.url !== PATH) return next();
          bundle({ name: "development", entry: "", files: [] }).then((code) => {
            response.writeHead(200, { "content-type": "text/javascript", "cache-control": "no-cache" }).end(code);
          }, next);
        });
      },
    },
    generateBundle: {
      order: "post",
      async handler(_, files) {
        if (this.environment.name !== "client") return;
        this.emitFile({ type: "asset", fileName: PATH.slice(1), source: await bundle(shellOf(files)) });
      },
    },
  };
}

/** The files that the first screens need, with a name that is another one as soon as one of them is, or the document. */
function shellOf(files: Rolldown.OutputBundle): Shell {
  const document = files["index.html"];
  if (document?.type !== "asset") throw new Error("The build has no index.html to keep.");
  const chunks = Object.values(files).filter((file) => file.type === "chunk");
  const kept = new Set(Object.keys(files).filter((name) => FACES.test(name)));
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || kept.has(chunk.fileName)) return;
    kept.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) kept.add(style);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  const entry = chunks.find(({ isEntry }) => isEntry);
  add(entry);
  for (const id of idsOf(FIRST_SCREENS)) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((module) => normalizePath(module) === id));
    if (!chunk) throw new Error(`The offline shell (scripts/lib/build/first-parts.ts) names ${id}, which is not in the build.`);
    add(chunk);
  }
  const list = [...kept].toSorted().map((name) => `/${name}`);
  const name = createHash("sha256").update(document.source).update(list.join("\n")).digest("hex").slice(0, 12);
  return { name, entry: `/${entry?.fileName ?? ""}`, files: list };
}

async function bundle(shell: Shell): Promise<string> {
  const built = await build({
    configFile: false,
    envFile: false,
    publicDir: false,
    root: inRoot("web"),
    logLevel: "error",
    define: { SHELL: JSON.stringify(shell) },
    build: {
      write: false,
      target: BUILD_TARGET,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: "iife", entryFileNames: "sw.js" } },
    },
  });
  const [output] = [built].flat();
  const [chunk] = output && "output" in output ? output.output : [];
  if (!chunk) throw new Error("The service worker was not bundled.");
  return chunk.code;
}
