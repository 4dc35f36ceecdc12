/** Counts the rows that all objects' statements read and write from here on, as all run in the test's own isolate; answers their sums when called. */
export function countRows(sql: SqlStorage): () => { read: number; written: number } {
  const prototype = Object.getPrototypeOf(sql);
  const real = prototype.exec;
  const cursors: { rowsRead: number; rowsWritten: number }[] = [];
  prototype.exec = function counted(...args: unknown[]) {
    const cursor: { rowsRead: number; rowsWritten: number } = real.apply(this, args);
    cursors.push(cursor);
    return cursor;
  };
  return () => {
    prototype.exec = real;
    const sum = (of: (cursor: { rowsRead: number; rowsWritten: number }) => number) =>
      cursors.reduce((total, cursor) => total + of(cursor), 0);
    return { read: sum(({ rowsRead }) => rowsRead), written: sum(({ rowsWritten }) => rowsWritten) };
  };
}
