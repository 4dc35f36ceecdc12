/** Bytes of one part of a path in UTF-8: with a number and an ending it stays below the 255 that file systems take. */
const NAME_BYTES = 120;
/** What a name may not hold on some system: separators, wildcards, control characters, and marks that turn the reading direction. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name as one part of a path in a ZIP: it leads nowhere else and can be written on every system. */
export function safeName(name: string, otherwise: string): string {
  const { stem, ending } = parted(name.toWellFormed().normalize("NFC").replaceAll(UNSAFE, "_"));
  const short = cut(stem, NAME_BYTES - byteLength(ending));
  const plain = `${short}${ending}`.replace(/^[\s.]+/, "").replace(/(?<![\s.])[\s.]+$/, "");
  if (plain === "") return otherwise;
  return DEVICE.test(plain) ? `_${plain}` : plain;
}

function parted(name: string): { stem: string; ending: string } {
  const [ending = ""] = /\.[\p{L}\p{N}]{1,12}$/u.exec(name) ?? [];
  return { stem: name.slice(0, name.length - ending.length), ending };
}

function cut(text: string, bytes: number): string {
  let short = "";
  let length = 0;
  for (const character of text) {
    length += byteLength(character);
    if (length > bytes) break;
    short += character;
  }
  return short;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
