/** One header field: its name in lower case, its value unfolded and with single spaces, as relaxed signatures read it (RFC 6376, 3.4.2). */
export type Header = { name: string; value: string };

/** Where a header ends and the body begins, in bytes; null while it has not ended. */
export function headerEnd(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (at === 0) return 1;
    const next = bytes[at + 1];
    if (next === LF) return at + 2;
    if (next === CR && bytes[at + 2] === LF) return at + 3;
  }
  return null;
}

const LF = 10;
const CR = 13;

/** The fields of a header in their order, duplicates kept: what is no field is kept as one without a name, as it may hide one. */
export function parseHeaders(bytes: Uint8Array): Header[] {
  const fields: string[][] = [];
  // A byte order mark stays: without it a line that others skip would become a field.
  for (const line of new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes).split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && fields.length > 0) fields.at(-1)?.push(line);
    else if (line !== "") fields.push([line]);
  }
  return fields.map((lines) => {
    const field = lines.join("");
    const colon = field.indexOf(":");
    const name = colon === -1 ? undefined : /^([\x21-\x39\x3b-\x7e]+)[ \t]*$/.exec(field.slice(0, colon))?.[1];
    if (name === undefined) return { name: "", value: field };
    return {
      name: name.toLowerCase(),
      value: field
        .slice(colon + 1)
        .replaceAll(/[ \t]+/g, " ")
        .trim(),
    };
  });
}

/** The first field of this name; an empty text where there is none. */
export function firstHeader(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name === name)?.value ?? "";
}

/** The Message-IDs in a field, without their angle brackets; what is longer than a line is none. */
export function messageIds(value: string): string[] {
  return [...value.matchAll(/<([^<>\s]{1,900})>/g)].flatMap(([, id]) => (id === undefined ? [] : [id]));
}
