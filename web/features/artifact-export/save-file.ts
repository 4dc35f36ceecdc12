/** A title as a file's name. */
export function fileName(title: string, ending: string): string {
  const name = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 100);
  return `${name || "Artifact"}.${ending}`;
}

/** Hands a file to the person as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own hold on it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
