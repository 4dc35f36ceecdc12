/** The rows of files, for the room that fetches them from elsewhere. */
export { deleteFileRow, type FileRow, selectEntry, selectFile, updateFile } from "./queries.ts";
