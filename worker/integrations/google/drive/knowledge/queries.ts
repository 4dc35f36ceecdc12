import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { KNOWLEDGE_FILES, KNOWLEDGE_FOLDERS } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { knowledgeDriveFolders } from "#worker/platform/db/schema/drive.ts";
import { knowledgeFiles } from "#worker/platform/db/schema/knowledge.ts";
import type { FileRow } from "#worker/library/knowledge/file-rows.ts";

export type FolderRow = typeof knowledgeDriveFolders.$inferSelect;

/** What is known of a file of Drive before it is fetched. */
export type NewDriveFile = Pick<
  FileRow,
  "id" | "context_id" | "user_id" | "file_url" | "file_name" | "file_type" | "created_at" | "object_key" | "sync_status" | "unread"
> &
  Pick<FileRow, "google_drive_file_id" | "google_drive_folder_id" | "google_drive_mime_type" | "google_drive_resource_key">;

/** Adds a file of Drive to an entry; undefined where it is there already, or the entry is gone or full. */
export async function insertDriveFile(db: Database, file: NewDriveFile): Promise<FileRow | undefined> {
  const room = sql`(SELECT count(*) FROM user_context_files h WHERE h.context_id = ${file.context_id}) < ${KNOWLEDGE_FILES}`;
  // In the columns' order.
  return db
    .insert(knowledgeFiles)
    .select(
      sql`SELECT ${file.id}, c.id, ${file.user_id}, ${file.file_url}, ${file.file_name}, ${file.file_type}, 0, ${file.created_at}, 'google_drive',
          ${file.google_drive_file_id}, ${file.google_drive_folder_id}, ${file.google_drive_mime_type}, NULL, ${file.sync_status},
          ${file.object_key}, 0, NULL, NULL, 0, ${file.unread}, NULL, NULL, NULL, ${file.google_drive_resource_key}
        FROM user_contexts c WHERE c.id = ${file.context_id} AND ${room}`,
    )
    .onConflictDoNothing()
    .returning()
    .get();
}

export async function hasDriveFile(db: Database, entryId: string, driveId: string): Promise<boolean> {
  const is = and(eq(knowledgeFiles.context_id, entryId), eq(knowledgeFiles.google_drive_file_id, driveId));
  return (await db.$count(knowledgeFiles, is)) > 0;
}

export async function selectDriveFiles(db: Database, entryId: string): Promise<FileRow[]> {
  return db
    .select()
    .from(knowledgeFiles)
    .where(and(eq(knowledgeFiles.context_id, entryId), isNotNull(knowledgeFiles.google_drive_file_id)));
}

/** Has an entry follow a folder of Drive; false where the entry is gone, or follows as many others as it may. */
export async function insertFolder(db: Database, folder: FolderRow): Promise<boolean> {
  const { context_id, folder_id, user_id, name, resource_key, created_at } = folder;
  const others = sql`(SELECT count(*) FROM user_context_drive_folders h WHERE h.context_id = ${context_id} AND h.folder_id <> ${folder_id})`;
  // In the columns' order.
  const made = await db
    .insert(knowledgeDriveFolders)
    .select(
      sql`SELECT c.id, ${folder_id}, ${user_id}, ${name}, ${resource_key}, ${created_at} FROM user_contexts c
        WHERE c.id = ${context_id} AND ${others} < ${KNOWLEDGE_FOLDERS}`,
    )
    .onConflictDoUpdate({ target: [knowledgeDriveFolders.context_id, knowledgeDriveFolders.folder_id], set: { name } })
    .returning({ id: knowledgeDriveFolders.folder_id });
  return made.length > 0;
}

export async function selectFolder(db: Database, name: { entryId: string; folderId: string }): Promise<FolderRow | undefined> {
  return db.select().from(knowledgeDriveFolders).where(isFolder(name)).get();
}

export async function selectFolders(db: Database, entryId: string): Promise<FolderRow[]> {
  return db.select().from(knowledgeDriveFolders).where(eq(knowledgeDriveFolders.context_id, entryId));
}

function isFolder({ entryId, folderId }: { entryId: string; folderId: string }) {
  return and(eq(knowledgeDriveFolders.context_id, entryId), eq(knowledgeDriveFolders.folder_id, folderId));
}

/** Entries with files of Drive, or that follow folders, after this one by their ids. */
export async function selectHolding(db: Database, after: string, limit: number): Promise<string[]> {
  const files = db
    .selectDistinct({ id: knowledgeFiles.context_id })
    .from(knowledgeFiles)
    .where(and(isNotNull(knowledgeFiles.google_drive_file_id), gt(knowledgeFiles.context_id, after)));
  const folders = db
    .selectDistinct({ id: knowledgeDriveFolders.context_id })
    .from(knowledgeDriveFolders)
    .where(gt(knowledgeDriveFolders.context_id, after));
  const rows = await files
    .union(folders)
    .orderBy(asc(sql`1`))
    .limit(limit);
  return rows.map(({ id }) => id);
}
