import type { DriveFile } from "../clients/google/drive.ts";
import type { ListedFile, ListedPage, ListedShortcut } from "../drive-index/rpc.ts";
import { FOLDER, SHORTCUT, skipReason, versionOf } from "./plan.ts";

const NAME_LENGTH = 300;

/** What a listing gives as an index keeps it: folders are none of its files, and shortcuts lead to one. */
export function toPage(files: readonly DriveFile[]): Pick<ListedPage, "files" | "shortcuts"> {
  const listed: ListedFile[] = [];
  const shortcuts: ListedShortcut[] = [];
  for (const file of files) {
    const { id, mimeType, shortcutDetails: target } = file;
    const name = file.name.slice(0, NAME_LENGTH);
    if (mimeType === SHORTCUT && target && target.targetMimeType !== FOLDER) {
      const { targetId, targetMimeType, targetResourceKey: resourceKey = null } = target;
      shortcuts.push({ id, target: { id: targetId, name, mimeType: targetMimeType, resourceKey } });
    } else if (mimeType !== FOLDER && mimeType !== SHORTCUT) {
      const { webViewLink: link = null, resourceKey = null } = file;
      listed.push({ id, name, mimeType, version: versionOf(file), link, resourceKey, skip: skipReason(file) });
    }
  }
  return { files: listed, shortcuts };
}
