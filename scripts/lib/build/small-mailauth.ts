import type { Plugin } from "vite";

const OURS = "\0mailauth:";
/**
 * What mailauth needs of two large packages, of a megabyte together: a test for base64 of joi, and of libmime what says where a mail's
 * first part begins, which nobody here asks, and how seals are folded, which are only written elsewhere.
 */
const PARTS: Record<string, string> = {
  joi: `
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const isBase64 = (value) => typeof value === "string" && value !== "" && BASE64.test(value);
export const string = () => ({ base64: () => ({ validate: (value) => (isBase64(value) ? { value } : { value, error: new Error("not base64") }) }) });
`,
  libmime: `
export const parseHeaderValue = () => ({ value: "", params: {} });
export const foldLines = (text) => text;
`,
};

/** Gives mailauth alone the little that it needs of joi and libmime. */
export function smallMailauth(): Plugin {
  return {
    name: "small-mailauth",
    enforce: "pre",
    resolveId: (source, importer = "") => (source in PARTS && /[\\/]node_modules[\\/]mailauth[\\/]/.test(importer) ? OURS + source : null),
    load: (id) => (id.startsWith(OURS) ? { moduleType: "js", code: PARTS[id.slice(OURS.length)] ?? "", map: null } : null),
  };
}
