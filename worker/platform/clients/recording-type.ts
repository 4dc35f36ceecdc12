export type RecordingType = { type: string; extension: string };

/** What recordings begin with; null stands for any byte. */
const SIGNATURES: readonly (RecordingType & { bytes: readonly (number | null)[] })[] = [
  { type: "audio/webm", extension: "webm", bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: "audio/ogg", extension: "ogg", bytes: [0x4f, 0x67, 0x67, 0x53] },
  { type: "audio/mp4", extension: "mp4", bytes: [null, null, null, null, 0x66, 0x74, 0x79, 0x70] },
  { type: "audio/wav", extension: "wav", bytes: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x41, 0x56, 0x45] },
];

/** What a recording is by its first bytes, whatever was claimed; null for anything that browsers don't record. */
export function recordingType(head: Uint8Array): RecordingType | null {
  const known = SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => at < head.length && (byte === null || byte === head[at])));
  return known ? { type: known.type, extension: known.extension } : null;
}
