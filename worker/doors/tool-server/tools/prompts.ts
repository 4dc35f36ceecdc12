import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { getPrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import { Id } from "#shared/entities/ids.ts";
import { answer } from "../answer.ts";
import type { ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

export function addPromptTools(server: McpServer, { api }: ToolDeps): void {
  server.registerTool(
    "list_prompts",
    {
      title: "List prompts",
      description: "List the user's saved prompts and those of their teams.",
      inputSchema: inputOf(z.object({})),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      answer(async () => {
        const { prompts } = await api.ask(listPrompts, {});
        const listed = prompts.map(({ id, name }) => ({ id, name }));
        return {
          text: listed.map(({ id, name }) => `- ${name} (prompt_id ${id})`).join("\n") || "There are no prompts.",
          data: { prompts: listed },
        };
      }),
  );

  server.registerTool(
    "read_prompt",
    {
      title: "Read a prompt",
      description: "Read one prompt's text; {{names}} in it are to be filled in.",
      inputSchema: inputOf(z.object({ prompt_id: Id })),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ prompt_id: id }) =>
      answer(async () => {
        const { prompt } = await api.ask(getPrompt, { params: { id } });
        return { text: prompt.content, data: { id, name: prompt.name, content: prompt.content } };
      }),
  );
}
