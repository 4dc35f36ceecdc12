import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { ToolCall, ToolDecision } from "#shared/entities/tool-call.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const decideToolCall = endpoint("POST", "/api/chat/:id/tool-calls/:callId", {
  summary: "Approve or discard a call that waits, once; `input` replaces its arguments, and `always` approves all later ones too",
  access: "user",
  action: "decide",
  repeat: "spent",
  params: z.object({ id: Id, callId: Id }),
  body: z.object({ decision: ToolDecision, input: z.optional(z.record(z.string(), z.unknown())) }),
  response: z.object({ call: ToolCall }),
});
