import type { ToolCall } from "#shared/entities/tool-call.ts";
import * as shape from "#web/lib/shape.ts";

/** What a tool of artifacts answered: which one it made or changed, and the version it was before. */
export type ArtifactResult = { id: string; title: string; version: number; before: number | null };

const Changed = shape.record<{ artifact_id: string; title: string; version: number; previous_version?: number | undefined }>({
  artifact_id: shape.text,
  title: shape.text,
  version: shape.number,
  previous_version: shape.optional(shape.number),
});

/** What came of a call that made or changed an artifact; null for any other. */
export function resultOf({ status, output }: Pick<ToolCall, "status" | "output">): ArtifactResult | null {
  if (status !== "done" || typeof output !== "string") return null;
  let said: unknown;
  try {
    said = JSON.parse(output);
  } catch {
    return null;
  }
  const parsed = Changed.safeParse(said);
  if (!parsed.success) return null;
  const { data } = parsed;
  return { id: data.artifact_id, title: data.title, version: data.version, before: data.previous_version ?? null };
}
