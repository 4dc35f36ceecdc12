import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { getArtifact, listArtifacts } from "#shared/contracts/artifacts.ts";
import { Id } from "#shared/entities/ids.ts";
import { SEARCH_QUERY_LENGTH } from "#shared/limits.ts";
import { answer, cut } from "../answer.ts";
import type { ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

export function addArtifactTools(server: McpServer, { api, origin }: ToolDeps): void {
  server.registerTool(
    "list_artifacts",
    {
      title: "List artifacts",
      description: "List the user's artifacts (documents), the last changed first; `query` looks for words in their titles.",
      inputSchema: inputOf(
        z.object({
          query: z._default(z.string().check(z.maxLength(SEARCH_QUERY_LENGTH)), ""),
          cursor: z.optional(z.string()),
        }),
      ),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, cursor }) =>
      answer(async () => {
        const page = await api.ask(listArtifacts, { query: { q: query, cursor } });
        const artifacts = page.artifacts.map(({ id, title, updated_at }) => ({ id, title, updated_at, url: `${origin}/artifacts/${id}` }));
        const lines = artifacts.map(({ id, title, updated_at }) => `- ${title} (artifact_id ${id}, changed ${updated_at.slice(0, 10)})`);
        const more = page.nextCursor === null ? [] : [`More with cursor ${page.nextCursor}`];
        return { text: [...lines, ...more].join("\n") || "There are no artifacts.", data: { artifacts, next_cursor: page.nextCursor } };
      }),
  );

  server.registerTool(
    "read_artifact",
    {
      title: "Read an artifact",
      description: "Read one artifact's current text.",
      inputSchema: inputOf(z.object({ artifact_id: Id })),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ artifact_id: id }) =>
      answer(async () => {
        const { artifact } = await api.ask(getArtifact, { params: { id } });
        const { title, content, version } = artifact;
        return { text: content, data: { id, title, version, content: cut(content), url: `${origin}/artifacts/${id}` } };
      }),
  );
}
