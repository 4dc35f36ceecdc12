import { parseFencedDocument } from "#web/features/library/artifact-kinds/kind-of.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import type { Pictures } from "./load-pictures.ts";

export type ExportFormat = "markdown" | "html" | "docx";

/** Takes an artifact away as a file; what makes it is loaded when it is asked for. */
export async function exportArtifact(format: ExportFormat, { title, content }: { title: string; content: string }): Promise<void> {
  try {
    if (format === "markdown") return saveFile(new Blob([content], { type: "text/markdown;charset=utf-8" }), fileName(title, "md"));
    if (format === "html") {
      // A page is taken away as the page that it is.
      const fenced = parseFencedDocument(content);
      const page = fenced?.kind === "html" ? fenced.source : await asHtml(title, content);
      return saveFile(new Blob([page], { type: "text/html;charset=utf-8" }), fileName(title, "html"));
    }
    const [{ toDocx }, pictures] = await Promise.all([import("./to-docx.ts"), picturesOf(content)]);
    return saveFile(await toDocx(title, content, pictures), fileName(title, "docx"));
  } catch (error) {
    toast({ tone: "danger", title: "The artifact was not exported", description: error instanceof Error ? error.message : "" });
  }
}

async function asHtml(title: string, content: string): Promise<string> {
  const [{ toHtml }, pictures] = await Promise.all([import("./to-html.ts"), picturesOf(content)]);
  return toHtml(title, content, pictures);
}

async function picturesOf(content: string): Promise<Pictures> {
  const { loadPictures } = await import("./load-pictures.ts");
  return loadPictures(content);
}

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
function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own hold on it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
