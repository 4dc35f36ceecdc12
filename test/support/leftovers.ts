import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod/mini";

/** Where something was found: a table's column, an object's, or a stored file's key or body. */
export type Leftover = { place: string; needle: string };

const Names = z.array(z.object({ name: z.string() }));

/** What each of these texts was found in, of every column of every table of the relational database. */
export async function leftInDatabase(needles: readonly string[]): Promise<Leftover[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'",
  ).all();
  const left: Leftover[] = [];
  for (const { name } of Names.parse(results)) {
    const { results: rows } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    left.push(...rows.flatMap((row) => inRow(name, row, needles)));
  }
  return left;
}

/** The same of one object's storage; an alarm that is set counts as found. */
export async function leftInObject(name: string, stub: DurableObjectStub<undefined>, needles: readonly string[]): Promise<Leftover[]> {
  return runInDurableObject(stub, async (_, { storage }) => {
    const tables = Names.parse(storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'").toArray());
    return tables.flatMap((table) =>
      storage.sql
        .exec(`SELECT * FROM "${table.name}"`)
        .toArray()
        .flatMap((row) => inRow(`${name}.${table.name}`, row, needles)),
    );
  });
}

/** Names of the tables of an object that hold rows, and `alarm` where one is set. */
export async function heldIn(stub: DurableObjectStub<undefined>): Promise<string[]> {
  return runInDurableObject(stub, async (_, { storage }) => {
    const tables = Names.parse(storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'").toArray());
    const held = tables.filter(({ name }) => storage.sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`).toArray().length > 0);
    const alarm = await storage.getAlarm();
    return [...held.map(({ name }) => name), ...(alarm === null ? [] : ["alarm"])];
  });
}

/** The same of every stored file: its key, what is noted beside it, and its bytes. */
export async function leftInFiles(needles: readonly string[]): Promise<Leftover[]> {
  const left: Leftover[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await env.FILES.list(cursor === undefined ? {} : { cursor });
    for (const { key } of page.objects) {
      const object = await env.FILES.get(key);
      const text = object
        ? `${key} ${JSON.stringify(object.httpMetadata)} ${JSON.stringify(object.customMetadata)} ${readBytes(await object.arrayBuffer())}`
        : "";
      left.push(...found(`file ${key}`, text, needles));
    }
    if (!page.truncated) return left;
    cursor = page.cursor;
  }
}

function inRow(place: string, row: Record<string, unknown>, needles: readonly string[]): Leftover[] {
  return Object.entries(row).flatMap(([column, value]) => found(`${place}.${column}`, textOf(value), needles));
}

function found(place: string, text: string, needles: readonly string[]): Leftover[] {
  const low = text.toLowerCase();
  return needles.filter((needle) => low.includes(needle.toLowerCase())).map((needle) => ({ place, needle }));
}

function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return readBytes(value);
  if (Array.isArray(value)) return readBytes(Uint8Array.from(value.map(Number)).buffer);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readBytes(bytes: ArrayBuffer): string {
  return new TextDecoder("latin1").decode(bytes);
}
