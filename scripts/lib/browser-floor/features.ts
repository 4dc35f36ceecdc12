import { type Lacking, lackingAt, namesAt } from "./compat.ts";

/** Every feature of MDN's data that a program names, by that name, with what it belongs to; null where the oldest browsers have it. */
type Owners = Map<string, Lacking | null>;

const BUILTINS = ["javascript", "builtins"];
/** Of an object that a browser lacks entirely nothing is looked for: what brings the object is. */
const members = new Map<string, Owners>();
const statics = new Map<string, Owners>();
const events = new Map<string, Owners>();
const globals = new Map<string, Lacking | null>();

for (const owner of namesAt("api")) {
  globals.set(owner, lackingAt("api", owner));
  for (const name of namesAt("api", owner)) {
    const [, plain = name, kind = ""] = /^(.*?)(?:_(static|event))?$/.exec(name) ?? [];
    const lacking = lackingAt("api", owner, name);
    if (kind === "static") add(statics, plain, owner, lacking);
    else add(kind === "event" ? events : members, plain, owner, beyond(lacking, ofGlobal(owner)));
  }
}
for (const place of [BUILTINS, [...BUILTINS, "Intl"]]) {
  for (const owner of namesAt(...place)) {
    if (place === BUILTINS) globals.set(owner, lackingAt(...place, owner));
    // The data doesn't tell what belongs to a class from what belongs to its instances.
    for (const name of namesAt(...place, owner)) {
      for (const to of [members, statics]) add(to, name, owner, lackingAt(...place, owner, name));
    }
  }
}

function add(to: Map<string, Owners>, name: string, owner: string, lacking: Lacking | null): void {
  const owners: Owners = to.get(name) ?? new Map();
  to.set(name, owners.set(owner, lacking));
}

const suspects = new Set<string>([
  ...[...members].flatMap(([name, owners]) => ([...owners.values()].some((lacking) => lacking) ? [name] : [])),
  ...[...globals].flatMap(([name, lacking]) => (lacking ? [name] : [])),
]);

/** Properties of CSS as scripts write them. */
const cssNames = new Set(
  namesAt("css", "properties")
    .filter((name) => lackingAt("css", "properties", name))
    .map(camelCase),
);

/** True for a name that means, of some object or of the class that is named, what an oldest browser lacks: these are worth asking for their types. */
export function isSuspect(name: string, of = ""): boolean {
  return suspects.has(name) || cssNames.has(name) || Boolean(statics.get(name)?.get(of));
}

/** A name of the global object. */
export function ofGlobal(name: string): Lacking | null {
  return globals.get(name) ?? null;
}

/** A member of an object, by the interface that TypeScript's library declares it in. */
export function ofMember(owner: string, name: string, isStatic: boolean): Lacking | null {
  if (owner.startsWith("CSSStyle")) return cssLacking(name);
  const known = owner === "IteratorObject" ? "Iterator" : owner.replace(/^Readonly/, "").replace(/Constructor$/, "");
  const owners = /^(?:(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?|Float\d+)Array$/.test(known) ? [known, "TypedArray"] : [known];
  for (const of of isStatic ? [statics] : [members, statics]) {
    const owning = owners.find((each) => of.get(name)?.has(each));
    if (owning !== undefined) return of.get(name)?.get(owning) ?? null;
  }
  return globals.has(known) ? null : ofAll(members.get(name));
}

/** What is lacking in browsers that have the whole. */
function beyond(lacking: Lacking | null, whole: Lacking | null): Lacking | null {
  return lacking && whole && [...lacking.lacks.keys()].every((browser) => whole.lacks.has(browser)) ? null : lacking;
}

/** An event that is listened to. */
export function ofEvent(name: string): Lacking | null {
  return ofAll(events.get(name));
}

/** What all that have a name lack: of an interface that others mix in the data says nothing. */
function ofAll(owners: Owners | undefined): Lacking | null {
  const all = [...(owners?.values() ?? [])];
  return all.every((lacking) => lacking) ? (all[0] ?? null) : null;
}

/** An attribute of an element, or its value. */
export function ofAttribute(tag: string, name: string, value: string | null): Lacking | null {
  const event = /^on([A-Z]\w*)$/.exec(name)?.[1]?.toLowerCase();
  if (event !== undefined) return ofEvent(event === "doubleclick" ? "dblclick" : event);
  const attribute = name.toLowerCase();
  const paths = [
    ["html", "elements", tag, attribute],
    ["html", "global_attributes", attribute],
  ];
  const values =
    value === null ? [] : paths.flatMap((path) => [value, `${value}_value`, `${attribute}_${value}`].map((last) => [...path, last]));
  const inputs = attribute === "type" && value !== null ? [["html", "elements", tag, `type_${value}`]] : [];
  return first([...paths, ...values, ...inputs]);
}

/** An element of HTML. */
export function ofElement(tag: string): Lacking | null {
  return lackingAt("html", "elements", tag);
}

/** A regular expression, as it stands between its slashes, with its flags. */
export function ofPattern(source: string, flags: string): Lacking | null {
  const path = ["javascript", "regular_expressions"];
  const names = [...source.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
  return first([
    ...(/\(\?[ims-]+:/.test(source) ? [[...path, "modifier"]] : []),
    ...(/\(\?<[=!]/.test(source) ? [[...path, "lookbehind_assertion"]] : []),
    ...(new Set(names).size < names.length ? [[...path, "named_capturing_group", "duplicate_named_capturing_groups"]] : []),
    ...(flags.includes("v") ? [[...BUILTINS, "RegExp", "unicodeSets"]] : []),
    ...(flags.includes("d") ? [[...BUILTINS, "RegExp", "hasIndices"]] : []),
  ]);
}

/** A property of CSS, as scripts write it. */
export function cssLacking(name: string): Lacking | null {
  return lackingAt(
    "css",
    "properties",
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
}

function first(paths: string[][]): Lacking | null {
  return paths.map((path) => lackingAt(...path)).find((lacking) => lacking !== null) ?? null;
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
