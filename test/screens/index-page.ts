import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder } from "./world.ts";

const STYLE =
  "body{font:14px system-ui;margin:24px;background:#777;color:#fff} div{display:flex;gap:16px;align-items:flex-start} img{height:420px}";

/** Writes the page on which all pictures stand, a row for each scene; answers its path. */
export async function writeIndex(): Promise<string> {
  const files = (await readdir(folder())).filter((name) => name.endsWith(".png")).toSorted();
  const rows = Object.entries(Object.groupBy(files, (name) => name.replace(/-\d+-[a-z-]+\.png$/, ""))).map(([name, shots = []]) => {
    const pictures = shots.map((file) => `<a href="${file}"><img src="${file}" title="${file}" loading="lazy"></a>`).join("");
    return `<h2 id="${name}">${name}</h2><div>${pictures}</div>`;
  });
  const path = join(folder(), "index.html");
  await writeFile(path, `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${STYLE}</style>${rows.join("\n")}`);
  return path;
}
