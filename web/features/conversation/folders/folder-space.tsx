import type { FolderSectionProps } from "./folder-section.tsx";
import { useFolderRowCount } from "#web/features/conversation/list-state/folder-state.ts";

/** Keeps the folders' place until they come, as far as their number is known. */
export function FolderSpace({ scope, inDrawer }: FolderSectionProps) {
  const rows = useFolderRowCount();
  const rowPx = inDrawer ? 44 : 36;
  if (scope) return <div style={{ height: rowPx }} />;
  return rows === 0 ? null : <div style={{ height: (rows + 1) * rowPx }} />;
}
