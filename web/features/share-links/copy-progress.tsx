import { useKnowledgeEntry } from "#web/features/knowledge/use-knowledge.ts";
import { copiedText } from "./shared-import-words.ts";

/** How far the files of imported knowledge are; live events bring the next word of it. */
export function CopyProgress({ id }: { id: string }) {
  const files = useKnowledgeEntry(id).data?.user_context_files ?? [];
  const copied = files.filter(({ is_stored: isStored }) => isStored).length;
  const failed = files.filter((file) => !file.is_stored && file.sync_status === "error").length;
  return (
    <div role="status" className="mb-16 rounded-12 bg-accent-soft px-16 py-12 text-14 text-accent-soft-ink">
      {files.length === 0 ? "Imported. Its files are being copied…" : copiedText({ copied, failed, total: files.length })}
    </div>
  );
}
