import { toast } from "#web/ui/toast/toast.tsx";
import { fileName, saveFile } from "./save-file.ts";

export type ExportFormat = "markdown" | "html" | "docx";

/** Takes an artifact away as a file; what makes it is loaded when it is asked for. */
export async function exportArtifact(format: ExportFormat, { title, content }: { title: string; content: string }): Promise<void> {
  try {
    if (format === "markdown") return saveFile(new Blob([content], { type: "text/markdown;charset=utf-8" }), fileName(title, "md"));
    if (format === "html") {
      const { toHtml } = await import("./to-html.ts");
      return saveFile(new Blob([toHtml(title, content)], { type: "text/html;charset=utf-8" }), fileName(title, "html"));
    }
    const { toDocx } = await import("./to-docx.ts");
    return saveFile(await toDocx(title, content), fileName(title, "docx"));
  } catch (error) {
    toast({ tone: "danger", title: "The artifact was not exported", description: error instanceof Error ? error.message : "" });
  }
}
