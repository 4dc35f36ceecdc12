import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { MIGRATIONS as ROOM_MIGRATIONS } from "#worker/chat-room/migrations.ts";
import { SCHEMA as ROOM_SCHEMA } from "#worker/chat-room/schema.ts";
import { migrateObject } from "#worker/migrate-object.ts";
import { MIGRATIONS as HUB_MIGRATIONS } from "#worker/user-hub/migrations.ts";
import { SCHEMA as HUB_SCHEMA } from "#worker/user-hub/schema.ts";

/** A statement without what a change of its table leaves in it: other spaces, and quotes around a new name. */
const plain = (sql: string | null) => sql?.replaceAll('"', "").replaceAll(/\s*([(),])\s*|\s+/g, (_space, sign?: string) => sign ?? " ");

/** All that a storage holds: its tables and indexes in the order they were made in, and their rows. */
function contents({ sql }: DurableObjectStorage) {
  const made = sql
    .exec<{ type: string; name: string; tbl_name: string; sql: string | null }>(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' ORDER BY rowid",
    )
    .toArray();
  const tables = made.filter(({ type }) => type === "table").map(({ name }) => name);
  return {
    made: made.map((row) => ({ ...row, sql: plain(row.sql) })),
    columns: tables.map((name) =>
      sql.exec(`SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo('${name}')`).toArray(),
    ),
    rows: tables.map((name) => sql.exec(`SELECT * FROM "${name}"`).toArray()),
  };
}

describe.each([
  ["chat", ROOM_MIGRATIONS, ROOM_SCHEMA],
  ["user's hub", HUB_MIGRATIONS, HUB_SCHEMA],
])("the tables of a new %s", (_what, migrations, schema) => {
  test("are those that all migrations make, without a run of those that it knows", async () => {
    await runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
      migrateObject(storage, migrations);
      const byStep = contents(storage);
      expect(byStep.made.length).toBeGreaterThan(20);
      await storage.deleteAll();
      const unknown = migrations.map((migration, index) => (index < schema.version ? "is not run" : migration));
      migrateObject(storage, unknown, schema);
      expect(contents(storage)).toEqual(byStep);
      await storage.deleteAll();
    });
  });

  test("are said anew once many migrations came after them", () => {
    expect(migrations.length - schema.version).toBeLessThan(10);
  });

  test("go on from whatever version an object has", async () => {
    await runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
      migrateObject(storage, migrations.slice(0, 5));
      migrateObject(storage, migrations, schema);
      const later = contents(storage);
      await storage.deleteAll();
      migrateObject(storage, migrations, schema);
      expect(later).toEqual(contents(storage));
      await storage.deleteAll();
    });
  });
});
