import type { LocalService } from "./local-services.ts";

type Options = { url: string; services: LocalService[]; note?: string };

/** The block a started server ends with: its address, what is real and what is simulated, and how to make it real. */
export function summary({ url, services, note }: Options): string {
  const width = Math.max(...services.map(({ name }) => name.length)) + 2;
  const lines = services.map(({ name, simulated, what, page, makeReal }) => {
    const place = page ? `, shown at ${url}${page}` : "";
    return `    ${name.padEnd(width)}${simulated ? `simulated: ${what}${place}; real with ${makeReal}` : `real: ${what}`}`;
  });
  const hint = services.some(({ simulated }) => simulated)
    ? "  To make one real, write those variables as NAME=value into the file .dev.vars and start again.\n"
    : "";
  return `\n  Polylogue runs at ${url}\n\n${lines.join("\n")}\n\n${hint}  ${note ? `${note} ` : ""}Ctrl-C stops it.\n`;
}
