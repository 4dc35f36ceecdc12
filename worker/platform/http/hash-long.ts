import { base64url } from "jose";

const BUFFER_BYTES = 64 * 1024;

/** SHA-256 of a long JSON value as 43 base64url characters: its texts are read where they are, as JSON of them would need their memory twice more. */
export async function hashLong(value: unknown): Promise<string> {
  const encoder = new TextEncoder();
  const hashed = new crypto.DigestStream("SHA-256");
  const writer = hashed.getWriter();
  const bytes = new Uint8Array(BUFFER_BYTES);
  let size = 0;
  for (const part of canonicalParts(value)) {
    for (let rest = part; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, bytes.subarray(size));
      size += written;
      rest = rest.slice(read);
      if (rest === "") break;
      await writer.write(bytes.subarray(0, size));
      size = 0;
    }
  }
  await writer.write(bytes.subarray(0, size));
  await writer.close();
  return base64url.encode(new Uint8Array(await hashed.digest));
}

/** Each text comes after its length, so no two values are the same in chunks. */
function* canonicalParts(value: unknown): Generator<string> {
  if (typeof value === "string") {
    yield `"${value.length}:`;
    return yield value;
  }
  if (typeof value !== "object" || value === null) return yield `${String(value)};`;
  const entries = Object.entries(value);
  yield `${Array.isArray(value) ? "[" : "{"}${entries.length}:`;
  for (const [name, own] of entries) {
    yield* canonicalParts(name);
    yield* canonicalParts(own);
  }
}
