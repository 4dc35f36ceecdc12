import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { exportChat } from "#shared/contracts/chat/copies.ts";
import { search } from "#shared/contracts/search.ts";
import { Id } from "#shared/entities/ids.ts";
import { SEARCH_QUERY_LENGTH } from "#shared/limits.ts";
import { answer } from "../answer.ts";
import type { ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

const HITS_MAX = 30;

export function addChatTools(server: McpServer, { api, origin }: ToolDeps): void {
  server.registerTool(
    "search_chats",
    {
      title: "Search chats",
      description:
        'Find chats and messages of the user. The query takes words, "phrases", and filters such as from:, after:2026-01-31, is:pinned, in:title.',
      inputSchema: inputOf(
        z.object({
          query: z.string().check(z.minLength(1), z.maxLength(SEARCH_QUERY_LENGTH)),
          limit: z._default(z.int().check(z.minimum(1), z.maximum(HITS_MAX)), 10),
        }),
      ),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, limit }) =>
      answer(async () => {
        const found = await api.ask(search, { query: { q: query, limit } });
        const hits = found.hits.map(({ kind, id, chat, author, time, snippet }) => ({
          chat_id: chat.id,
          title: chat.title.text,
          kind,
          ...(kind === "message" && { message_id: id }),
          author,
          time,
          snippet: snippet.text,
          url: `${origin}/c/${chat.id}`,
        }));
        const lines = hits.map((hit) => `- ${hit.title} (chat_id ${hit.chat_id}, ${hit.kind}, ${hit.time.slice(0, 10)}): ${hit.snippet}`);
        return { text: lines.join("\n") || "Nothing was found.", data: { hits } };
      }),
  );

  server.registerTool(
    "read_chat",
    {
      title: "Read a chat",
      description: "Read one chat of the user as markdown, from its first to its last message.",
      inputSchema: inputOf(z.object({ chat_id: Id })),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ chat_id: id }) =>
      answer(async () => {
        const response = await api.open(exportChat, { params: { id }, query: { format: "markdown" } }, "text/markdown");
        return { text: await response.text() };
      }),
  );
}
