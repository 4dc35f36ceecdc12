import { readXml } from "./xml.ts";

/** A part's relation to another: its kind is the last word of its type, e.g. `styles`. */
export type Relation = { id: string; kind: string; target: string };

/** The relations in a `.rels` part; their targets as paths in the archive, seen from `folder` (`word/`, or nothing). */
export function readRelations(xml: string, folder: string): Relation[] {
  const relations: Relation[] = [];
  for (const event of readXml(xml)) {
    if (event.kind !== "open" || event.name !== "Relationship") continue;
    const target = (event.attribute("Target") ?? "").replaceAll("\\", "/");
    relations.push({
      id: event.attribute("Id") ?? "",
      kind: /(?<!\w)\w*$/.exec(event.attribute("Type") ?? "")?.[0] ?? "",
      target: target.startsWith("/") ? target.slice(1) : folder + target.replace(/^\.\//, ""),
    });
  }
  return relations;
}

/** Where a part's own relations are. */
export function relationsOf(path: string): string {
  return `${folderOf(path)}_rels/${path.slice(folderOf(path).length)}.rels`;
}

/** The folder of a part, with its slash. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
