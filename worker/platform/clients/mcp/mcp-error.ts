/** What went wrong with a server: who has to do something about it differs. */
export type McpFailure =
  | "address"
  | "unreachable"
  | "not_mcp"
  | "sign_in"
  | "forgotten"
  | "client"
  | "too_large"
  | "timeout"
  | "lost"
  | "refused";

/** A failed exchange with an MCP server. The message is for people and models. */
export class McpError extends Error {
  readonly kind: McpFailure;
  /** What a server wants a token to be good for, where it refused one that is good for less. */
  readonly scope: string | undefined;

  constructor(kind: McpFailure, message: string, cause?: unknown, scope?: string) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.kind = kind;
    this.scope = scope;
  }
}
