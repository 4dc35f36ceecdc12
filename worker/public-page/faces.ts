import type { Env } from "../env.ts";
import type { Faces } from "./frame.ts";

const NONE: Faces = { sans: null, serif: null, math: null };

let known: Faces | null = null;

/** Where this build keeps its faces: the application's document preloads them under names that change with their content. */
export async function pageFaces(env: Env, url: string): Promise<Faces> {
  if (known) return known;
  const document = await env.ASSETS.fetch(new URL("/index.html", url), { headers: { accept: "text/html" } });
  if (!document.ok) return NONE;
  const html = await document.text();
  const find = (name: string) => new RegExp(`href="(/[^"]*${name}[^"]*\\.woff2)"`).exec(html)?.[1] ?? null;
  known = { sans: find("hanken-grotesk"), serif: find("newsreader"), math: find("stix-two-math") };
  return known;
}
