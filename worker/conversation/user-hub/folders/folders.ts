/** One user's folders and tags. */
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { currentCursor } from "../list/chat-list.ts";
import { broadcast, notifyChanges } from "../live/live.ts";
import { changeFolder, createFolder, removeFolder, restoreFolder } from "./change-tree.ts";
import { importFilings, readFilings } from "./copy-filing.ts";
import { beginChat, changeTag, ensureTag, type Filed, fileChats, followChat, removeTag, tagChats } from "./filing.ts";
import type { FolderAnswer, FolderInput, StoredFolder, StoredTag } from "#worker/conversation/hub/folders.ts";
import { createCounts, readFolders, readTags, toFolder, toTag } from "./rows.ts";

export type Folders = {
  /** Reads or changes folders and tags, and notifies the user's tabs of the change. */
  ask(input: FolderInput): Outcome<FolderAnswer>;
};

export type FolderDeps = { ctx: DurableObjectState; userId: string };

/** Inputs that leave what there is as it is. */
const SILENT: ReadonlySet<FolderInput["kind"]> = new Set(["list", "export", "begin", "follow"]);

/** What an answer holds, each part empty unless given; `isUnchanged` where no folder or tag is another than before. */
type Parts = Partial<Omit<FolderAnswer, "folders" | "tags">> & {
  folders?: readonly StoredFolder[];
  tags?: readonly StoredTag[];
  isUnchanged?: boolean;
};

/** The folders and tags of one user. */
export function createFolders({ ctx, userId }: FolderDeps): Folders {
  const { storage } = ctx;
  const { sql } = storage;
  const counts = createCounts(sql);

  function toAnswer({
    folders = [],
    tags = [],
    results = [],
    changed = 0,
    refused = 0,
    undoToken = null,
    filings = [],
  }: Parts): FolderAnswer {
    const counted = folders.length + tags.length > 0 ? counts() : new Map();
    return {
      folders: folders.map((folder) => toFolder(folder, counted)),
      tags: tags.map((tag) => toTag(tag, counted)),
      results,
      changed,
      refused,
      undoToken,
      filings,
    };
  }

  return {
    ask(input) {
      const before = currentCursor(sql);
      const done = storage.transactionSync(() => change(sql, input));
      if (!done.ok) return done;
      if (!SILENT.has(input.kind)) {
        if (currentCursor(sql) !== before) notifyChanges(ctx, userId, before);
        if (!done.value.isUnchanged) broadcast(ctx, [{ type: "content.changed", cursor: String(currentCursor(sql)), kind: "folder" }]);
      }
      return { ok: true, value: toAnswer(done.value) };
    },
  };
}

function change(sql: SqlStorage, input: FolderInput): Outcome<Parts> {
  switch (input.kind) {
    case "list":
      return { ok: true, value: { folders: readFolders(sql), tags: readTags(sql) } };
    case "create":
      return map(createFolder(sql, input), (folder) => ({ folders: [folder] }));
    case "change":
      return map(changeFolder(sql, input), (folder) => ({ folders: [folder] }));
    case "remove":
      return map(removeFolder(sql, input.id), ({ token, chats }) => ({ undoToken: token, changed: chats }));
    case "restore":
      return map(restoreFolder(sql, input.token), (folder) => ({ folders: [folder] }));
    case "file":
      return map(fileChats(sql, input.chats, input.folderId), toFiledParts);
    case "begin":
      return map(beginChat(sql, input), () => ({}));
    case "follow":
      followChat(sql, input);
      return { ok: true, value: {} };
    case "create-tag":
      return map(ensureTag(sql, input.name, input.hue), (tag) => ({ tags: [tag] }));
    case "change-tag":
      return map(changeTag(sql, input), (tag) => ({ tags: [tag] }));
    case "remove-tag":
      return map(removeTag(sql, input.id), () => ({}));
    case "tag":
      return map(tagChats(sql, input), ({ tags, ...filed }) => ({ ...toFiledParts(filed), tags }));
    case "export": {
      const isFirst = input.after === "";
      const all = isFirst ? { folders: readFolders(sql), tags: readTags(sql) } : {};
      return { ok: true, value: { ...all, filings: readFilings(sql, input) } };
    }
    case "import":
      return { ok: true, value: { isUnchanged: !importFilings(sql, input) } };
  }
}

function toFiledParts({ results, changed, refused, token }: Filed): Parts {
  return { results, changed: changed.length, refused, undoToken: token };
}

function map<T>(outcome: Outcome<T>, toParts: (value: T) => Parts): Outcome<Parts> {
  return outcome.ok ? { ok: true, value: toParts(outcome.value) } : outcome;
}
