/** A UUID in lower case, as `crypto.randomUUID()` makes them. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for what can be the id of something here. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
