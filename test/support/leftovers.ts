import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod/mini";

/** Where something was found: a table's column, an object's, or a stored file's key or body. */
export type Leftover = { place: string; needle: string };

const Names = z.array(z.object({ name: z.string() }));

const Columns = z.array(z.object({ table: z.string(), column: z.string() }));

/**
 * What each of these texts was found in, of every column of every table of the relational database. The database looks itself: other
 * tests leave thousands of rows, and only what is found comes out.
 */
export async function leftInDatabase(needles: readonly string[]): Promise<Leftover[]> {
  const { results } = await env.DB.prepare(
    `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
       AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND m.name <> 'd1_migrations'`,
  ).all();
  const columns = Map.groupBy(Columns.parse(results), ({ table }) => table);
  const texts = new Map(
    [...columns].map(([table, those]) => [table, `lower(${those.map(({ column }) => `COALESCE("${column}" || ' ', '')`).join(" || ")})`]),
  );
  const low = JSON.stringify(needles.map((needle) => needle.toLowerCase()));
  const tables = await env.DB.batch(
    [...texts].map(([table, text]) =>
      env.DB.prepare(
        `WITH needles AS MATERIALIZED (SELECT value AS needle FROM json_each(?)), texts AS MATERIALIZED (SELECT ${text} AS text FROM "${table}")
         SELECT ? AS name WHERE EXISTS (SELECT 1 FROM texts CROSS JOIN needles WHERE instr(text, needle) > 0)`,
      ).bind(low, table),
    ),
  );
  const left: Leftover[] = [];
  for (const { name } of tables.flatMap(({ results: names }) => Names.parse(names))) {
    const isHit = `EXISTS (SELECT 1 FROM (SELECT value AS "a needle" FROM json_each(?)) WHERE instr(${texts.get(name)}, "a needle") > 0)`;
    const { results: rows } = await env.DB.prepare(`SELECT * FROM "${name}" WHERE ${isHit}`).bind(low).all();
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
export async function nonEmptyTablesIn(stub: DurableObjectStub<undefined>): Promise<string[]> {
  return runInDurableObject(stub, async (_, { storage }) => {
    const tables = Names.parse(storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'").toArray());
    const filled = tables.filter(({ name }) => storage.sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`).toArray().length > 0);
    const alarm = await storage.getAlarm();
    return [...filled.map(({ name }) => name), ...(alarm === null ? [] : ["alarm"])];
  });
}

/**
 * The same of every stored file: its key, and of those stored since a time what is noted beside it and its bytes. Texts that were made
 * at random after that time stand in nothing older.
 */
export async function leftInFiles(needles: readonly string[], since: Date): Promise<Leftover[]> {
  const left: Leftover[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await env.FILES.list(cursor === undefined ? {} : { cursor });
    for (const { key, uploaded } of page.objects) {
      const object = uploaded < since ? null : await env.FILES.get(key);
      const inside = object
        ? `${JSON.stringify(object.httpMetadata)} ${JSON.stringify(object.customMetadata)} ${readBytes(await object.arrayBuffer())}`
        : "";
      left.push(...found(`file ${key}`, `${key} ${inside}`, needles));
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
