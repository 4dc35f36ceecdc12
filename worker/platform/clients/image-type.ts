/** The leading bytes of the image types that browsers draw and nothing can hide a script in; null stands for any byte. */
const SIGNATURES: readonly { type: string; bytes: readonly (number | null)[] }[] = [
  { type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", bytes: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50] },
];

/** The type by the bytes themselves, whatever was claimed; null for anything but a PNG, JPEG, GIF or WebP. */
export function imageType(bytes: Uint8Array): string | null {
  return (
    SIGNATURES.find(({ bytes: leading }) =>
      leading.every((byte, index) => index < bytes.length && (byte === null || bytes[index] === byte)),
    )?.type ?? null
  );
}
