import { env } from "cloudflare:workers";

/** The last request of a chat's turns as it reached the simulated aggregator; an answer that shows a long one would be cut. */
export async function lastRequestOf<Shown extends { messages: unknown[] }>(chatId: string): Promise<Shown> {
  const response = await fetch(`${new URL(env.AGGREGATOR_SIMULATOR).origin}/control/requests`);
  const requests: { body: (Shown & { session_id?: string; stream?: boolean }) | null }[] = await response.json();
  const last = requests.findLast(({ body }) => body?.session_id === chatId && body.stream === true)?.body;
  if (!last) throw new Error("The chat has asked for nothing.");
  return last;
}
