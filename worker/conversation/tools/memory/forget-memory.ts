import * as z from "zod/mini";
import { FORGET_MEMORY } from "#shared/memory-tools.ts";
import { forgetByModel } from "#worker/library/memories/memories.ts";
import type { Tool } from "../tool.ts";

const Input = z.object({ handle: z.string().check(z.maxLength(20), z.describe("The fact's handle, e.g. m12.")) });

/** Takes a fact out of the person's memory. */
export const forgetMemory: Tool<typeof Input> = {
  id: FORGET_MEMORY,
  description:
    "Forgets one remembered fact, when the person asks for it or says that it no longer holds. They see it and can keep it after all.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  asksFirst: (_input, { hasUntrustedText }) => hasUntrustedText,
  run: ({ handle }, { env, reader }) => forgetByModel(env, reader.userId, handle),
};
