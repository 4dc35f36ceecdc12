/** A file's name as it is kept: on one line, and without the marks that turn the direction of writing, which show another extension than the file has. */
export function plainName(name: string): string {
  return name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "");
}
