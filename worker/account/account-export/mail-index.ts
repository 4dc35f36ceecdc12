/** The file of an export that says which mail's source is where, from a place of their list on; `path` is the folder of their chat. */
export function mailIndexName(path: string, before: number | null): string {
  return `${path}/mails/sources${before === null ? "" : `-${before}`}.json`;
}
