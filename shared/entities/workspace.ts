import * as z from "zod/mini";
import { Id } from "./ids.ts";

/** What a list shows: what no team shares, all, or what is shared with the team of this id. */
export const WorkspaceId = z.union([z.enum(["personal", "all"]), Id]);
export type WorkspaceId = z.infer<typeof WorkspaceId>;

export type Workspace = { type: "personal" | "all"; teamId: null; name: string } | { type: "team"; teamId: string; name: string };
