/** Byte order marks, which say how a text is written. */
const MARKS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

/** The encoding that a text's first bytes announce, or null. */
export function announcedEncoding(bytes: Uint8Array): string | null {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.label ?? null;
}

/** Bytes as text: by their mark, else as UTF-8, and what is none as Windows-1252. A character cut at the end is left out. */
export function decodeText(bytes: Uint8Array): string {
  const announced = announcedEncoding(bytes);
  if (announced !== null) return new TextDecoder(announced).decode(bytes, { stream: true });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
