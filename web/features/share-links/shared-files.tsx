import { formatBytes } from "#shared/attachment-rules.ts";
import { FileIcon } from "#web/features/attachments/file-icon.tsx";
import { fileKind } from "#web/features/knowledge/file-words.ts";
import type { Seen } from "./kinds.ts";

/** The files of shared knowledge: what they are, not what they say. */
export function SharedFiles({ files }: { files: NonNullable<Seen["files"]> }) {
  const bytes = files.reduce((sum, { file_size: size }) => sum + size, 0);
  return (
    <section aria-label="Files" className="mt-16">
      <p className="flex items-baseline gap-8 text-13">
        <span className="font-medium text-ink">Files</span>
        <span className="text-12 text-ink2 tabular-nums">{files.length}</span>
        <span className="ml-auto text-12 text-ink2">{`${formatBytes(bytes)} together`}</span>
      </p>
      <ul className="mt-4">
        {files.map(({ file_name: name, file_size: size }, index) => (
          // Two files may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${name}`} className="flex min-h-40 items-center gap-12 text-14 text-ink">
            <FileIcon name={name} className="size-16 shrink-0 text-ink2" />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            <span className="shrink-0 text-12 text-ink2">{`${fileKind(name)}, ${formatBytes(size)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
