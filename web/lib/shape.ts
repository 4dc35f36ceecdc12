/**
 * What a value kept in this browser has to look like. A tenth of a kilobyte where the first screen would need all of zod;
 * what loads later may be checked by a zod schema just as well.
 */
export type Shape<T> = { safeParse: (value: unknown) => { success: true; data: T } | { success: false } };

function of<T>(is: (value: unknown) => value is T): Shape<T> {
  return { safeParse: (value) => (is(value) ? { success: true, data: value } : { success: false }) };
}

export const text = of((value) => typeof value === "string");
export const number = of((value) => typeof value === "number");
export const flag = of((value) => typeof value === "boolean");

/** One of these words. */
export function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  return of((value): value is T => words.some((word) => word === value));
}

/** The shape, or null. */
export function nullable<T>({ safeParse }: Shape<T>): Shape<T | null> {
  return of((value): value is T | null => value === null || safeParse(value).success);
}

/** The shape, or nothing at all. */
export function optional<T>({ safeParse }: Shape<T>): Shape<T | undefined> {
  return of((value): value is T | undefined => value === undefined || safeParse(value).success);
}

/** One of two shapes. */
export function either<A, B>(a: Shape<A>, b: Shape<B>): Shape<A | B> {
  return of((value): value is A | B => a.safeParse(value).success || b.safeParse(value).success);
}

/** A list of the shape. */
export function listOf<T>({ safeParse }: Shape<T>): Shape<T[]> {
  return of((value): value is T[] => Array.isArray(value) && value.every((item) => safeParse(item).success));
}

/** An object with at least these fields. */
export function record<T extends object>(fields: { [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const shapes = Object.entries<Shape<unknown>>(fields);
  return of((value): value is T => {
    if (typeof value !== "object" || value === null) return false;
    const held = new Map<string, unknown>(Object.entries(value));
    return shapes.every(([name, { safeParse }]) => safeParse(held.get(name)).success);
  });
}

/** An object of both shapes. */
export function both<A, B>(a: Shape<A>, b: Shape<B>): Shape<A & B> {
  return of((value): value is A & B => a.safeParse(value).success && b.safeParse(value).success);
}

/** An object with no other values than these, whatever its fields are called. */
export function valuesOf<T extends object>({ safeParse }: Shape<unknown>): Shape<T> {
  return of(
    (value): value is T =>
      typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every((item) => safeParse(item).success),
  );
}
