/** The tools with which models change their person's memory. */
export const SAVE_MEMORY = "saveMemory";
export const FORGET_MEMORY = "forgetMemory";

/** True for a tool that changes memory: what its calls say is for their person alone. */
export function isMemoryTool(id: string): boolean {
  return id === SAVE_MEMORY || id === FORGET_MEMORY;
}
