import { File, FileSpreadsheet, FileText, Image } from "lucide-react";
import { formatOfName, FORMATS } from "#shared/attachment-rules.ts";

const icons = { image: Image, pdf: FileText, text: FileText, document: FileText, spreadsheet: FileSpreadsheet } as const;

/** What kind of file a name says it is, as an icon. */
export function FileIcon({ name, className }: { name: string; className: string }) {
  const format = formatOfName(name);
  const Icon = format === null ? File : icons[FORMATS[format].kind];
  return <Icon aria-hidden className={className} />;
}
