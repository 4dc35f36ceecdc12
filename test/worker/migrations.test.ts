import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { migrateObject } from "#worker/platform/migrate-object.ts";

const FIRST = "CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL); INSERT INTO notes (id) VALUES ('made');";
const SECOND = "ALTER TABLE notes ADD COLUMN text TEXT NOT NULL DEFAULT ''; INSERT INTO notes (id, text) VALUES ('added', 'later');";

/** An object's empty storage, which is emptied again. */
function inStorage(run: (storage: DurableObjectStorage) => void): Promise<void> {
  return runInDurableObject(env.CHAT_ROOM.getByName(crypto.randomUUID()), async (_, { storage }) => {
    run(storage);
    await storage.deleteAll();
  });
}

const notesIn = ({ sql }: DurableObjectStorage) => sql.exec("SELECT * FROM notes ORDER BY rowid").toArray();
const MIGRATED = [
  { id: "made", text: "" },
  { id: "added", text: "later" },
];

test("An object runs each migration once, in its order, and those that are new to it when it starts again", () =>
  inStorage((storage) => {
    migrateObject(storage, [FIRST]);
    expect(notesIn(storage)).toEqual([{ id: "made" }]);
    migrateObject(storage, [FIRST, SECOND]);
    expect(notesIn(storage)).toEqual(MIGRATED);
    migrateObject(storage, [FIRST, SECOND]);
    expect(notesIn(storage)).toEqual(MIGRATED);
  }));

test("An object whose migration fails keeps what it had, and runs it whole when it can", () =>
  inStorage((storage) => {
    migrateObject(storage, [FIRST]);
    expect(() => migrateObject(storage, [FIRST, `${SECOND} INSERT INTO nowhere VALUES (1);`])).toThrow("nowhere");
    expect(notesIn(storage)).toEqual([{ id: "made" }]);
    migrateObject(storage, [FIRST, SECOND]);
    expect(notesIn(storage)).toEqual(MIGRATED);
  }));

test("An object's tables stay as they are under older code, and are not made again by the newer", () =>
  inStorage((storage) => {
    migrateObject(storage, [FIRST, SECOND]);
    migrateObject(storage, [FIRST]);
    expect(notesIn(storage)).toEqual(MIGRATED);
    migrateObject(storage, [FIRST, SECOND]);
    expect(notesIn(storage)).toEqual(MIGRATED);
  }));
