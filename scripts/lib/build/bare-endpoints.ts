import { pathToFileURL } from "node:url";
import { normalizePath, type Plugin } from "vite";
import * as z from "zod";
import { inRoot } from "../paths.ts";

const CONTRACTS = normalizePath(inRoot("shared", "contracts"));
/** The module as it stands in its file. */
const WHOLE = "?whole";

const Endpoint = z.object({ method: z.string(), path: z.string().startsWith("/api/"), repeat: z.optional(z.string()) });

/**
 * In the browser an endpoint is its method, its path and how it bears being repeated: the server checks what comes in and goes out by the same schemas,
 * which would cost every start their bytes and time. What else a contract exports stays as it is.
 */
export function bareEndpoints(): Plugin {
  return {
    name: "bare-endpoints",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async load(id) {
      if (!id.startsWith(CONTRACTS) || id.endsWith(WHOLE)) return null;
      const exported: Record<string, unknown> = await import(pathToFileURL(id).href);
      const lines = Object.entries(exported).map(([name, value]) => {
        const endpoint = Endpoint.safeParse(value);
        return endpoint.success
          ? `export const ${name} = ${JSON.stringify(endpoint.data)};`
          : `export { ${name} } from ${JSON.stringify(id + WHOLE)};`;
      });
      return lines.join("\n");
    },
  };
}
