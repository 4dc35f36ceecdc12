/** What went wrong with a server: who has to do something about it differs. */
export type McpFailure = "address" | "unreachable" | "not_mcp" | "sign_in" | "forgotten" | "too_large" | "timeout" | "lost" | "refused";

/** A failed exchange with an MCP server. The message is for people and models. */
export class McpError extends Error {
  readonly kind: McpFailure;

  constructor(kind: McpFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.kind = kind;
  }
}
