import * as z from "zod";

const Target = z.array(z.looseObject({ id: z.string(), webSocketDebuggerUrl: z.string() }));
const Answer = z.looseObject({ id: z.optional(z.number()), result: z.optional(z.unknown()), error: z.optional(z.unknown()) });

/** Chrome's protocol with the Worker's isolate. */
export type Inspector = { call(method: string, params?: Record<string, unknown>): Promise<unknown>; close(): void };

/** Attaches to the isolate behind an inspector's port, its objects included. */
export async function openInspector(port: number): Promise<Inspector> {
  const targets = Target.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const target = targets.find(({ id }) => id.endsWith("user:polylogue"));
  if (!target) throw new Error("The inspector shows no Worker.");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: z.infer<typeof Answer>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = Answer.parse(JSON.parse(String(data)));
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("The inspector let nobody in.")));
  });
  let id = 0;
  return {
    async call(method, params = {}) {
      id += 1;
      const answered = new Promise<z.infer<typeof Answer>>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answered;
      if (error !== undefined) throw new Error(`The inspector refused ${method}.`);
      return result;
    },
    close: () => socket.close(),
  };
}
