import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { createMemory } from "#shared/contracts/memories.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { MEMORY_LENGTH } from "#shared/limits.ts";
import { answer } from "../answer.ts";
import { Refusal, type ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

export function addMemoryTool(server: McpServer, { api }: ToolDeps): void {
  server.registerTool(
    "save_memory",
    {
      title: "Save memory",
      description: "Save one short fact about the user, which every model gets from then on. Only what the user said or asked to keep.",
      inputSchema: inputOf(z.object({ fact: z.string().check(z.minLength(1), z.maxLength(MEMORY_LENGTH)) })),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ fact }) =>
      answer(async () => {
        const { user } = await api.ask(getUser, {});
        if (!user.memory_enabled) throw new Refusal("Memory is switched off in the user's settings.");
        const { memory, is_new } = await api.ask(createMemory, { body: { id: crypto.randomUUID(), text: fact } });
        return {
          text: is_new ? `Saved: ${memory.text}` : `That was known already: ${memory.text}`,
          data: { id: memory.id, text: memory.text, is_new },
        };
      }),
  );
}
