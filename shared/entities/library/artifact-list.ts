import * as z from "zod/mini";

export const ArtifactFilter = z.enum(["all", "owned", "shared", "pinned"]);
export type ArtifactFilter = z.infer<typeof ArtifactFilter>;
/** `updated` and `created` are newest first, `title` goes by the alphabet. */
export const ArtifactSort = z.enum(["updated", "created", "title"]);
export type ArtifactSort = z.infer<typeof ArtifactSort>;
