/** Chats and places are numbered in the index by their time, so it is walked from its newest end without sorting. */

const COLUMNS = { search_places: "id", search_chats: "card_id" } as const;

/** Epoch milliseconds as numbers of the index: in hundredths of a second. */
export function placeTime(ms: number): number {
  return Math.floor(ms / 10);
}

/** The first number from a time on that no row of the table has yet. */
export function freeNumber(sql: SqlStorage, table: keyof typeof COLUMNS, time: number): number {
  const column = COLUMNS[table];
  const isTaken = sql.exec(`SELECT 1 FROM ${table} WHERE ${column} = ?`, time).toArray().length > 0;
  if (!isTaken) return time;
  return sql
    .exec<{ number: number }>(
      `SELECT p.${column} + 1 AS number FROM ${table} AS p
       WHERE p.${column} >= ? AND NOT EXISTS (SELECT 1 FROM ${table} AS q WHERE q.${column} = p.${column} + 1)
       ORDER BY p.${column} LIMIT 1`,
      time,
    )
    .one().number;
}
