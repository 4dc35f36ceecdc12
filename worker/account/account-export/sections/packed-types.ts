/** Types whose bytes are compressed already: they are stored as they are. */
const PACKED =
  /^(?:image\/(?!svg|bmp|tiff)|audio\/(?!wav|x-wav)|video\/|application\/(?:pdf|zip|gzip|x-7z|x-rar|vnd\.openxmlformats|vnd\.oasis|epub))/i;

/** True for a type whose bytes would not become fewer. */
export function isStoredAsIs(type: string): boolean {
  return PACKED.test(type);
}
