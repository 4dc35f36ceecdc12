import { violation } from "./violations.ts";

/** Bytes of a row, and of a value, in an object's storage (developers.cloudflare.com/durable-objects/platform/limits); the local runtime takes more. */
const ROW_BYTES = 2_000_000;

const sizes = new WeakMap<SqlStorage, number>();
/** What the runtime itself runs statements with, by the prototype of all storages. */
const guarded = new WeakMap<object, unknown>();

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length > ROW_BYTES / 4 ? new TextEncoder().encode(value).byteLength : value.length;
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8;
}

/** Refuses values that the platform's storage doesn't take. All objects of an isolate share the prototype. */
export function refuseLargeValues(sql: SqlStorage): void {
  const prototype: object = Object.getPrototypeOf(sql);
  if (guarded.has(prototype)) return;
  const real: SqlStorage["exec"] = Reflect.get(prototype, "exec");
  guarded.set(prototype, real);
  Reflect.set(prototype, "exec", function exec(this: SqlStorage, query: string, ...values: unknown[]) {
    const largest = Math.max(0, ...values.map(sizeOf));
    if (largest > ROW_BYTES)
      throw violation(`a value of ${largest} bytes is too big for an object's storage, SQLITE_TOOBIG: ${query.slice(0, 90)}`);
    return Reflect.apply(real, this, [query, ...values]);
  });
}

/** The largest row of each table that has one over the limit, as `table: bytes`. */
export function largeRows(sql: SqlStorage): string[] {
  const tables = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .toArray();
  return tables.flatMap(({ name }) => {
    const columns = sql.exec<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`).toArray();
    const sum = columns.map((column) => `coalesce(octet_length("${column.name}"), 0)`).join(" + ");
    const { bytes } = sql.exec<{ bytes: number | null }>(`SELECT max(${sum}) AS bytes FROM "${name}"`).one();
    return bytes !== null && bytes > ROW_BYTES ? [`${name}: ${bytes} bytes`] : [];
  });
}

/** Looks at an object's rows where it grew; one that is smaller than a row may be has none that is too large. */
export function checkRows(where: string, sql: SqlStorage): void {
  const size = sql.databaseSize;
  if (size <= ROW_BYTES || size === sizes.get(sql)) return;
  sizes.set(sql, size);
  for (const row of uncounted(sql, () => largeRows(sql))) violation(`after ${where} an object has a row over ${ROW_BYTES} bytes in ${row}`);
}

/** Reads past whoever counts the rows that the Worker reads (test/support/count-rows.ts). */
function uncounted<T>(sql: SqlStorage, read: () => T): T {
  const prototype: object = Object.getPrototypeOf(sql);
  const counted: unknown = Reflect.get(prototype, "exec");
  Reflect.set(prototype, "exec", guarded.get(prototype));
  try {
    return read();
  } finally {
    Reflect.set(prototype, "exec", counted);
  }
}
