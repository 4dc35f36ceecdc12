import type { ToolCall } from "#shared/entities/tool-call.ts";
import * as z from "zod/mini";

/** What a tool of artifacts answered: which one it made or changed, and the version it was before. */
export type ArtifactResult = { id: string; title: string; version: number; before: number | null };

const Changed = z.looseObject({
  artifact_id: z.string(),
  title: z.string(),
  version: z.number(),
  previous_version: z.optional(z.number()),
});

/** What came of a call that made or changed an artifact; null for any other. */
export function resultOf({ status, output }: Pick<ToolCall, "status" | "output">): ArtifactResult | null {
  if (status !== "done" || typeof output !== "string") return null;
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return null;
  }
  const parsed = Changed.safeParse(json);
  if (!parsed.success) return null;
  const { data } = parsed;
  return { id: data.artifact_id, title: data.title, version: data.version, before: data.previous_version ?? null };
}
