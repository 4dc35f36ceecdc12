import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { MIGRATIONS as ROOM_MIGRATIONS } from "#worker/conversation/chat-room/migrations.ts";
import { SCHEMA as ROOM_SCHEMA } from "#worker/conversation/chat-room/schema.ts";
import { migrateObject } from "#worker/platform/migrate-object.ts";
import { MIGRATIONS as HUB_MIGRATIONS } from "#worker/conversation/user-hub/migrations.ts";
import { SCHEMA as HUB_SCHEMA } from "#worker/conversation/user-hub/schema.ts";

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

  test("stay as they are under the code of before, and are not made again by that of after", async () => {
    await runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
      const before = migrations.slice(0, -3);
      migrateObject(storage, before);
      migrateObject(storage, migrations, schema);
      const newest = contents(storage);
      migrateObject(storage, before, schema);
      expect(contents(storage)).toEqual(newest);
      // What version 0.1.0 does when a deployment went back to it.
      storage.sql.exec("DELETE FROM schema_version");
      storage.sql.exec("INSERT INTO schema_version (version) VALUES (?)", before.length);
      migrateObject(storage, migrations, schema);
      expect(contents(storage)).toEqual(newest);
      await storage.deleteAll();
    });
  });
});

test("A room's messages and todos from before say for whom they are no untrusted text", async () => {
  await runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const { sql } = storage;
    const trustedIn = (table: string) =>
      Object.fromEntries(
        sql
          .exec<{ id: string; of: string | null }>(`SELECT id, trusted_for AS of FROM ${table}`)
          .toArray()
          .map(({ id, of }) => [id, of]),
      );
    const before = ROOM_MIGRATIONS.findIndex((migration) => migration.includes("ADD COLUMN trusted_for"));
    const fill = (more: string) => {
      migrateObject(storage, ROOM_MIGRATIONS.slice(0, before));
      sql.exec(`INSERT INTO chat (id, owner_id, title, title_source, created_at, last_at) VALUES ('c', 'ann', '', 'none', '', '');
        INSERT INTO messages (id, parent_id, role, content, author_id, status, created_at) VALUES
          ('q1', NULL, 'user', '', 'ann', 'done', ''), ('a1', 'q1', 'assistant', '', NULL, 'done', '');
        INSERT INTO todos (id, text, status, order_index, created_at) VALUES ('t', '', 'done', 0, '');
        ${more}`);
      migrateObject(storage, ROOM_MIGRATIONS);
    };
    fill("");
    expect([trustedIn("messages"), trustedIn("todos")]).toEqual([{ q1: "ann", a1: "ann" }, { t: "ann" }]);
    await storage.deleteAll();
    fill(`INSERT INTO messages (id, parent_id, role, content, author_id, status, mail, citations, created_at) VALUES
        ('mail', 'a1', 'user', '', NULL, 'done', '{}', NULL, ''), ('answered', 'mail', 'assistant', '', NULL, 'done', NULL, NULL, ''),
        ('q2', 'a1', 'user', '', 'bob', 'done', NULL, NULL, ''), ('cites', 'q2', 'assistant', '', NULL, 'done', NULL, '[]', ''),
        ('read', 'q2', 'assistant', '', NULL, 'done', NULL, NULL, ''), ('noted', 'q2', 'assistant', '', NULL, 'done', NULL, NULL, '');
      INSERT INTO tool_calls (reply_id, round, position, id, given_id, generation, tool, arguments, status, delivery, at) VALUES
        ('read', 0, 0, 'c1', 'c1', 0, 'mcp_1_fail', '{}', 'failed', 'done', 0), ('noted', 0, 0, 'c2', 'c2', 0, 'addTodoItem', '{}', 'done', 'done', 0);`);
    const others = { mail: null, answered: null, q2: "bob", cites: null, read: null, noted: "bob" };
    expect([trustedIn("messages"), trustedIn("todos")]).toEqual([{ q1: "ann", a1: "ann", ...others }, { t: null }]);
    await storage.deleteAll();
    fill("UPDATE chat SET is_foreign = 1;");
    expect([trustedIn("messages"), trustedIn("todos")]).toEqual([{ q1: null, a1: null }, { t: null }]);
    await storage.deleteAll();
  });
});

test("what calls said of artifacts before belongs to whoever asked, else to the chat's owner", async () => {
  await runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const { sql } = storage;
    const at = ROOM_MIGRATIONS.findIndex((migration) => migration.includes("with_data_of"));
    migrateObject(storage, ROOM_MIGRATIONS.slice(0, at), ROOM_SCHEMA);
    sql.exec("INSERT INTO chat (id, owner_id, title, title_source, created_at, last_at) VALUES ('c', 'owner', '', 'user', '', '')");
    for (const [id, author] of [
      ["asked", "editor"],
      ["mailed", null],
    ]) {
      const columns = "INSERT INTO messages (id, parent_id, role, content, status, author_id, author_name, created_at)";
      sql.exec(`${columns} VALUES (?, NULL, 'user', '', 'done', ?, 'Eda', '')`, id, author);
      sql.exec(`${columns} VALUES (?, ?, 'assistant', '', 'done', NULL, NULL, '')`, `${id}-reply`, id);
      for (const tool of ["readArtifact", "viewTodoList"]) {
        sql.exec(
          `INSERT INTO tool_calls (reply_id, round, position, id, given_id, generation, tool, arguments, status, delivery, at)
           VALUES (?, 0, (SELECT count(*) FROM tool_calls), ?, '', 0, ?, '{}', 'done', 'done', 0)`,
          `${id}-reply`,
          `${id}-${tool}`,
          tool,
        );
      }
    }
    migrateObject(storage, ROOM_MIGRATIONS, ROOM_SCHEMA);
    const rows = sql.exec<{ id: string; approval: string | null }>("SELECT id, approval FROM tool_calls ORDER BY position").toArray();
    expect(rows.map(({ id, approval }) => [id, approval && JSON.parse(approval)])).toEqual([
      ["asked-readArtifact", { user: { id: "editor", display_name: "Eda" }, decision: null }],
      ["asked-viewTodoList", null],
      ["mailed-readArtifact", { user: { id: "owner", display_name: "Eda" }, decision: null }],
      ["mailed-viewTodoList", null],
    ]);
    await storage.deleteAll();
  });
});

describe("what was written before it was noted whose turn wrote it", () => {
  const NEW = "ADD COLUMN payer_id";

  async function migrated(
    isForeign: boolean,
    replies: { id: string; columns?: Record<string, string>; calls?: Record<string, object | null> }[],
  ) {
    return runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
      const { sql } = storage;
      const at = ROOM_MIGRATIONS.findIndex((migration) => migration.includes(NEW));
      migrateObject(storage, ROOM_MIGRATIONS.slice(0, at), ROOM_SCHEMA);
      sql.exec(
        "INSERT INTO chat (id, owner_id, title, title_source, created_at, last_at, is_foreign) VALUES ('c', 'owner', '', 'user', '', '', ?)",
        Number(isForeign),
      );
      sql.exec(
        "INSERT INTO messages (id, role, content, status, author_id, author_name, created_at) VALUES ('q', 'user', '', 'done', 'ada', 'Ada', '')",
      );
      for (const { id, columns = {}, calls = {} } of replies) {
        sql.exec(
          "INSERT INTO messages (id, parent_id, role, content, status, created_at) VALUES (?, 'q', 'assistant', '', 'done', '')",
          id,
        );
        for (const [column, value] of Object.entries(columns)) sql.exec(`UPDATE messages SET ${column} = ? WHERE id = ?`, value, id);
        for (const [tool, approval] of Object.entries(calls)) {
          sql.exec(
            `INSERT INTO tool_calls (reply_id, round, position, id, given_id, generation, tool, arguments, status, delivery, at, approval)
             VALUES (?, 0, (SELECT count(*) FROM tool_calls), ?, '', 0, ?, '{}', 'done', 'done', 0, ?)`,
            id,
            `${id}-${tool}`,
            tool,
            approval && JSON.stringify(approval),
          );
        }
      }
      migrateObject(storage, ROOM_MIGRATIONS, ROOM_SCHEMA);
      const messages = sql
        .exec<{ id: string; payer: string | null; own: number }>("SELECT id, payer_id AS payer, used_own AS own FROM messages ORDER BY seq")
        .toArray();
      const calls = sql.exec<{ id: string; approval: string | null }>("SELECT id, approval FROM tool_calls ORDER BY position").toArray();
      await storage.deleteAll();
      return {
        messages: messages.map(({ id, payer, own }) => [id, payer, own]),
        calls: calls.map(({ id, approval }) => [id, approval && JSON.parse(approval)]),
      };
    });
  }

  test("is theirs whose memory or tools it used, else theirs who asked, and so are its calls of accounts", async () => {
    const eda = { user: { id: "eda", display_name: "Eda" }, decision: "always" };
    const found = await migrated(false, [
      { id: "plain", columns: { reply_id: "plain" }, calls: { mcp_12345678_read: null, viewTodoList: null } },
      {
        id: "remembered",
        columns: { reply_id: "remembered", memory: JSON.stringify({ by: "eda", ids: [] }) },
        calls: { listSchedules: null },
      },
      { id: "read", columns: { reply_id: "read" }, calls: { readArtifact: eda, sendEmail: eda } },
    ]);
    expect(found.messages).toEqual([
      ["q", null, 0],
      ["plain", "ada", 1],
      ["remembered", "eda", 1],
      ["read", "eda", 1],
    ]);
    expect(found.calls).toEqual([
      ["plain-mcp_12345678_read", { user: { id: "ada", display_name: "Ada" }, decision: null }],
      ["plain-viewTodoList", null],
      ["remembered-listSchedules", { user: { id: "eda", display_name: "Ada" }, decision: null }],
      ["read-readArtifact", { ...eda, decision: null }],
      ["read-sendEmail", eda],
    ]);
  });

  test("is its owner's where it came from a file", async () => {
    const someone = { user: { id: "someone", display_name: "Someone" }, decision: "approve" };
    const found = await migrated(true, [{ id: "brought", calls: { web_search: null, mcp_12345678_send: someone, sendEmail: someone } }]);
    expect(found.messages.at(-1)).toEqual(["brought", "owner", 1]);
    expect(found.calls).toEqual([
      ["brought-web_search", { user: { id: "owner", display_name: "Ada" }, decision: null }],
      ["brought-mcp_12345678_send", { user: { id: "owner", display_name: "Ada" }, decision: "approve" }],
      ["brought-sendEmail", someone],
    ]);
  });
});
