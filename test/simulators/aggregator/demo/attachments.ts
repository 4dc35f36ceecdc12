import type { Part } from "../request.ts";
import { decodeDataUrl, readImageSize } from "./image-size.ts";
import { describeQuotedFiles } from "./quoted-files.ts";

function describeBytes(count: number): string {
  if (count < 1024) return `${count} bytes`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KB`;
  return `${(count / 1024 / 1024).toFixed(1)} MB`;
}

function describePart(part: Part): string {
  if (part.image_url) {
    const data = decodeDataUrl(part.image_url.url);
    if (!data) return `an image at a web address, which the demo does not open`;
    const size = readImageSize(data.bytes);
    if (!size) return `an image of ${describeBytes(data.bytes.length)} whose size cannot be read`;
    return `a **${size.type}** image of **${size.width} × ${size.height}** pixels (${describeBytes(data.bytes.length)})`;
  }
  if (part.file) {
    const data = decodeDataUrl(part.file.file_data ?? "");
    const name = `\`${(part.file.filename ?? "unnamed").replaceAll("`", "'")}\``;
    return data ? `the file ${name}, ${describeBytes(data.bytes.length)} of \`${data.type || "unknown type"}\`` : `the file ${name}`;
  }
  if (part.input_audio) {
    return `a recording in ${part.input_audio.format}, ${describeBytes(Buffer.from(part.input_audio.data, "base64").length)}`;
  }
  return `a part of type \`${part.type}\``;
}

/** Says in markdown what was attached, `prompt`'s quoted files with it: images by their pixels, files by their names; empty without any. */
export function describeAttachments(parts: readonly Part[], prompt: string): string {
  const descriptions = [...parts.map(describePart), ...describeQuotedFiles(prompt)];
  if (descriptions.length === 0) return "";
  if (descriptions.length === 1) return `You attached ${descriptions[0]}.`;
  return `You attached ${descriptions.length} things:\n\n${descriptions.map((thing, index) => `${index + 1}. ${thing}`).join("\n")}`;
}
