import * as z from "zod/mini";

/** What Autopilot chose for an answer: the model, the categories of tools that it may use, and why in a few words. */
export const Autopilot = z.object({ model_id: z.string(), tool_categories: z.array(z.string()), reason: z.string() });
export type Autopilot = z.infer<typeof Autopilot>;
