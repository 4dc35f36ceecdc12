import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, normalizePath, type UserConfig } from "vite";
import { bareEndpoints } from "./bare-endpoints.ts";
import { boundedPdf } from "./bounded-pdf.ts";
import { BUILD_TARGET } from "../browser-floor/oldest.ts";
import type { Vars } from "../dev-vars.ts";
import { inRoot } from "../paths.ts";
import { idsOf, SOON } from "./first-parts.ts";
import { pdfAssets } from "./pdf-assets.ts";
import { serviceWorker } from "./service-worker.ts";
import { smallMailauth } from "./small-mailauth.ts";

const PACKAGE = "decode-named-character-reference";
const OURS = inRoot("web", "features", "library", "markdown", "character-reference.ts");

/** In the browser a character reference is decoded by the product's own module, as a page's policy lets no package write markup. */
const characterReferences = {
  name: "character-references",
  enforce: "pre" as const,
  applyToEnvironment: ({ name }: { name: string }) => name === "client",
  resolveId: (source: string) => (source === PACKAGE ? OURS : null),
};

const soon = new Set(idsOf(SOON));

/**
 * What every page needs comes in two files, each request costing a round trip on a slow network:
 * the packages, which seldom change, and the product's own code. What a conversation needs besides comes in one more;
 * icons that others need too have a file of their own, so nobody waits for a conversation's code to draw one. The list of chats,
 * and what starts by itself once the page is idle, come in one file each: in a hundred small ones, fetching took as long as running.
 */
const FILES = [
  { name: "packages", tags: ["$initial" as const], test: /[\\/]node_modules[\\/]|rolldown[\\/]runtime/, priority: 2 },
  { name: "app", tags: ["$initial" as const], priority: 1 },
  { name: "icons", test: /[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 1 },
  { name: "chat-list", test: /[\\/]features[\\/]conversation[\\/]chat-list[\\/](?:chat-list\.tsx|list-changes\.ts)$/ },
  { name: "conversation", test: /[\\/]features[\\/]conversation[\\/]transcript[\\/]transcript\.tsx$/ },
  { name: "soon", test: (id: string) => soon.has(normalizePath(id)) },
];

/** No `.dev.vars` stands beside it: the platform's tools would read that again, over what the environment says. */
const ELSEWHERE = inRoot("scripts", "wrangler.jsonc");

type Options = {
  /** Variables that local mode gives the Worker, and no others. */
  vars?: Vars;
  /** Where D1, R2, queues and objects are kept while developing. */
  stateDir?: string;
};

/** How web and Worker are built together. */
export function viteConfig({ vars, stateDir }: Options = {}): UserConfig {
  return defineConfig({
    root: inRoot("web"),
    publicDir: "public",
    plugins: [
      react(),
      tailwindcss(),
      bareEndpoints(),
      characterReferences,
      boundedPdf(),
      smallMailauth(),
      pdfAssets(),
      serviceWorker(),
      cloudflare({
        configPath: inRoot("wrangler.jsonc"),
        persistState: stateDir ? { path: stateDir } : true,
        ...(vars && { config: (config) => ({ vars: { ...config.vars, ...vars }, userConfigPath: ELSEWHERE }) }),
      }),
    ],
    build: { outDir: inRoot("dist", "default"), emptyOutDir: true },
    // Modules, so the highlighter loads a language when it is needed.
    worker: { format: "es" },
    environments: {
      // Smaller to load, with names left as they are, which errors in the log are read by.
      polylogue: {
        build: {
          rolldownOptions: {
            output: {
              minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
              // What is evaluated at start is one file, which packs better than the parts that lazy rooms share.
              codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] },
            },
          },
        },
      },
      client: {
        // What is served while developing is bundled ahead, past the plugins.
        optimizeDeps: { rolldownOptions: { plugins: [{ name: characterReferences.name, resolveId: characterReferences.resolveId }] } },
        build: {
          target: BUILD_TARGET,
          manifest: true,
          // What lacks it loads the parts one after the other.
          modulePreload: { polyfill: false },
          rolldownOptions: {
            output: { codeSplitting: { groups: FILES } },
            // A schema that nothing uses is left out.
            treeshake: { moduleSideEffects: [{ test: /[\\/]shared[\\/]/, sideEffects: false }], manualPureFunctions: ["z"] },
          },
        },
      },
    },
  });
}
