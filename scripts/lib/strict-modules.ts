import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { inRoot } from "./paths.ts";

type Module = { type: "ESModule"; path: string; contents: string };

const FOLDER = "test/support/strict";
const FILES = ["platform", "calls", "bindings", "invocation", "objects", "options", "rows", "violations"];
const CLASSES = ["ChatRoom", "DriveIndex", "PassageIndex", "RateLimiter", "UserHub"];

/** The modules that put the strict platform around a build, the entry first; `main` is the build's own. */
export function strictModules(main: string): Module[] {
  const entry = `
    import * as real from "./${main}";
    import { strictHandlers, strictObjects } from "./strict/platform.ts";
    export const { ${CLASSES.join(", ")} } = strictObjects({ ${CLASSES.map((name) => `${name}: real.${name}`).join(", ")} });
    export default strictHandlers(real.default);
  `;
  const modules = FILES.map((name) => ({
    type: "ESModule" as const,
    path: `strict/${name}.ts`,
    contents: stripTypeScriptTypes(readFileSync(inRoot(FOLDER, `${name}.ts`), "utf8")),
  }));
  return [{ type: "ESModule", path: "strict-entry.js", contents: entry }, ...modules];
}
