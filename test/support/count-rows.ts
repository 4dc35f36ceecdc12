type Cursor = { rowsRead: number; rowsWritten: number };

/**
 * Counts the rows that the statements of these objects' storage read and write from here on, and nobody else's; answers their sums when called.
 * All objects run in the test's own isolate and share one prototype, so others work meanwhile under the counter too.
 */
export function countRows(...storages: SqlStorage[]): () => { read: number; written: number } {
  const [first] = storages;
  if (!first) throw new Error("There is nothing to count.");
  const prototype = Object.getPrototypeOf(first);
  const real = prototype.exec;
  const cursors: Cursor[] = [];
  prototype.exec = function counted(this: SqlStorage, ...args: unknown[]) {
    const cursor: Cursor = real.apply(this, args);
    if (storages.includes(this)) cursors.push(cursor);
    return cursor;
  };
  return () => {
    prototype.exec = real;
    const sum = (of: (cursor: Cursor) => number) => cursors.reduce((total, cursor) => total + of(cursor), 0);
    return { read: sum(({ rowsRead }) => rowsRead), written: sum(({ rowsWritten }) => rowsWritten) };
  };
}
