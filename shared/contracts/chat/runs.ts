import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { Run } from "#shared/entities/outbound/run.ts";
import { ChatParams } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const listRuns = endpoint("GET", "/api/chat/:id/runs", {
  summary: "What the chat's tool calls have set going outside, newest first: runs of the code agent and phone calls",
  access: "user",
  action: "search",
  params: ChatParams,
  response: z.object({ runs: z.array(Run) }),
});

export const stopRun = endpoint("POST", "/api/chat/:id/runs/:callId/stop", {
  summary: "Hang up a phone call that is under way, or cancel one that waits for its person's calling hours",
  access: "account",
  action: "stop",
  repeat: "same",
  params: z.object({ id: Id, callId: Id }),
  body: z.object({}),
  response: z.object({ run: Run }),
});
