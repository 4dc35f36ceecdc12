/** The rooms of the code: folders within folders, and which of those that stand next to each other import which. */

/** A file and the files it imports, by their paths in the repository. */
export type ImportingFile = { path: string; imports: { target: string | null }[] };

/** Imports from one room to a room next to it; `isAgainst` where they lead back, by the order in which most imports between rooms of this folder lead on. */
export type Arrow = { from: string; to: string; isAgainst: boolean };

/** A folder, the folders in it, and the arrows between these. `isCommon` where many rooms next to it import it: no arrow leads there. */
export type Room = { path: string; isCommon: boolean; rooms: Room[]; arrows: Arrow[] };

/** A folder with fewer rooms is readable with all of its arrows. */
const MANY = 10;
/** The part of the rooms next to it that import a common room. */
const COMMON = 0.4;

type Weights = Map<string, Map<string, number>>;

/**
 * The rooms in which files lie. An import is drawn between the two rooms that stand next to each other and hold both files; one from or to
 * a folder's own files is not. What a longer way says anyway is left out.
 */
export function roomsOf(files: ImportingFile[], path = ""): Room {
  const depth = path === "" ? 0 : path.split("/").length;
  const childOf = (file: string) => {
    const parts = file.split("/");
    return parts.length > depth + 1 && (path === "" || file.startsWith(`${path}/`)) ? parts.slice(0, depth + 1).join("/") : null;
  };
  const names = [...new Set(files.flatMap((file) => childOf(file.path) ?? []))].toSorted();
  const weights: Weights = new Map(names.map((name) => [name, new Map()]));
  for (const file of files) {
    const from = childOf(file.path);
    for (const { target } of from === null ? [] : file.imports) {
      const to = target === null ? null : childOf(target);
      const of = weights.get(from ?? "");
      if (of && to !== null && to !== from && weights.has(to)) of.set(to, (of.get(to) ?? 0) + 1);
    }
  }
  const common = new Set(names.length < MANY ? [] : names.filter((name) => isCommon(weights, name)));
  for (const [from, targets] of weights) for (const to of targets.keys()) if (common.has(to)) weights.get(from)?.delete(to);
  return {
    path,
    isCommon: false,
    rooms: names.map((name) => ({ ...roomsOf(files, name), isCommon: common.has(name) })),
    arrows: arrowsOf(weights, common),
  };
}

function isCommon(weights: Weights, name: string): boolean {
  const importers = [...weights.values()].filter((targets) => targets.has(name));
  return importers.length >= COMMON * (weights.size - 1);
}

function arrowsOf(weights: Weights, common: Set<string>): Arrow[] {
  const others = [...weights.keys()].filter((name) => !common.has(name));
  const place = new Map([...inOrder(others, weights), ...common].map((name, index) => [name, index]));
  const goesOn = (from: string, to: string) => (place.get(from) ?? 0) < (place.get(to) ?? 0);
  const along = new Map(Array.from(weights, ([from, targets]) => [from, [...targets.keys()].filter((to) => goesOn(from, to))]));
  const reached = new Map<string, Set<string>>();
  const reachOf = (from: string): Set<string> => {
    const known = reached.get(from);
    if (known) return known;
    const found = new Set((along.get(from) ?? []).flatMap((to) => [to, ...reachOf(to)]));
    reached.set(from, found);
    return found;
  };
  const isLongWay = (from: string, to: string) => (along.get(from) ?? []).some((over) => over !== to && reachOf(over).has(to));
  return Array.from(weights, ([from, targets]) =>
    [...targets.keys()]
      .toSorted()
      .filter((to) => !goesOn(from, to) || !isLongWay(from, to))
      .map((to) => ({ from, to, isAgainst: !goesOn(from, to) })),
  ).flat();
}

/** Rooms from those that import to those that are imported: each moves to its best place until no move leaves fewer imports that lead back. */
function inOrder(names: string[], weights: Weights): string[] {
  const weight = (from: string, to: string) => weights.get(from)?.get(to) ?? 0;
  const order = [...names];
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const name of order.slice()) {
      const others = order.filter((other) => other !== name);
      // What leads back with this room in each place: one place further turns its arrows to and from the room it passes.
      let costs = 0;
      let [least, place, now] = [0, 0, 0];
      for (const [index, other] of others.entries()) {
        if (order[index] === name) now = costs;
        costs += weight(name, other) - weight(other, name);
        if (costs < least) [least, place] = [costs, index + 1];
      }
      if (order.at(-1) === name) now = costs;
      if (least >= now) continue;
      order.splice(0, order.length, ...others.toSpliced(place, 0, name));
      isBetter = true;
    }
  }
  return order;
}
