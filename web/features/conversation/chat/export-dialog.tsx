import { Download } from "lucide-react";
import { exportChat, type ExportFormat } from "#shared/contracts/chat/copies.ts";
import { address } from "#web/lib/api.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

const FORMATS: { format: ExportFormat; name: string; what: string }[] = [
  { format: "markdown", name: "Markdown", what: "The conversation as you see it, with models and sources, to read anywhere." },
  { format: "json", name: "JSON", what: "Everything: all versions, tool calls, costs and the names of files, to import again." },
];

type ExportDialogProps = { chatId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Saves the chat as a file, in one of two formats. */
export default function ExportDialog({ chatId, open, onOpenChange }: ExportDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Export" width={440}>
      <ul className="-mx-12 space-y-4">
        {FORMATS.map(({ format, name, what }) => (
          <li key={format}>
            <a
              href={address(exportChat, { params: { id: chatId }, query: { format } })}
              download
              onClick={() => onOpenChange(false)}
              aria-label={name}
              className="flex items-center gap-16 rounded-12 px-12 py-10 transition-colors duration-120 hover:bg-s3"
            >
              <span className="min-w-0 flex-1">
                <span className="block text-14 font-medium text-ink">{name}</span>
                <span className="block text-13 text-ink2">{what}</span>
              </span>
              <Download aria-hidden className="size-16 shrink-0 text-ink2" />
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
