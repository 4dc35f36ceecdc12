import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { CHEAP_MODEL } from "./cheap-model.ts";

/** Turns that one reader asks for, one after the other. */
export type TurnJob = {
  startAfterMs: number;
  turns: number;
  content: string;
  /** A chat of the server, or the simulator itself with the messages that the server would send it. */
  ask:
    | { kind: "chat"; origin: string; cookie: string; chatId: string; parentId: string | null }
    | { kind: "simulator"; url: string; messages: { role: string; content: string }[] };
};

/** What a turn was like for its reader. Times in milliseconds since it was sent, but for `startedAt`, `endedAt` and `stampedAt` (epoch). */
export type TurnRun = {
  startedAt: number;
  endedAt: number;
  acceptedMs: number;
  firstTextMs: number;
  /** When each stamped chunk was written, and how long it took to arrive. */
  stampedAt: number[];
  lags: number[];
  /** Bytes of the reply's stream on the wire, the framing of HTTP included, its headers not. */
  wireBytes: number;
  /** The length of the whole text as the last event says it. */
  textLength: number;
  lastId: string | null;
  error: string | null;
};

/** The wall clock with parts of a millisecond. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Asks and reads all turns of a job. */
export async function runJob(job: TurnJob, agent: Agent): Promise<TurnRun[]> {
  await wait(job.startAfterMs);
  const runs: TurnRun[] = [];
  let { ask } = job;
  for (let n = 0; n < job.turns; n += 1) {
    const run = emptyRun();
    try {
      if (ask.kind === "simulator") await askSimulator(run, ask, job.content, agent);
      else await askChat(run, ask, job.content, agent);
      if (ask.kind === "chat") ask = { ...ask, parentId: run.lastId };
    } catch (error) {
      run.error = error instanceof Error ? error.message : String(error);
    }
    run.endedAt = now();
    runs.push(run);
    if (run.error !== null) break;
  }
  return runs;
}

function emptyRun(): TurnRun {
  return {
    startedAt: now(),
    endedAt: 0,
    acceptedMs: Number.NaN,
    firstTextMs: Number.NaN,
    stampedAt: [],
    lags: [],
    wireBytes: 0,
    textLength: 0,
    lastId: null,
    error: null,
  };
}

type Chat = Extract<TurnJob["ask"], { kind: "chat" }>;

async function askChat(run: TurnRun, { origin, cookie, chatId, parentId }: Chat, content: string, agent: Agent): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), parent_id: parentId, content, model_id: CHEAP_MODEL });
  const accepted = await send(`${origin}/api/chat/${chatId}/messages`, { agent, headers: { cookie, origin }, body });
  const answer = await readAll(accepted);
  if (accepted.statusCode !== 202) throw new Error(`Sending answered ${accepted.statusCode}: ${answer.slice(0, 200)}`);
  run.acceptedMs = now() - run.startedAt;
  const replyId = /"replyId":"([^"]+)"/.exec(answer)?.[1] ?? "";
  run.lastId = replyId;
  const headers = { cookie, accept: "text/event-stream" };
  // A connection of its own, as its bytes are counted.
  const own = new Agent();
  const stream = await send(`${origin}/api/chat/${chatId}/replies/${replyId}`, { agent: own, headers });
  if (stream.statusCode !== 200) throw new Error(`The reply's stream answered ${stream.statusCode}.`);
  const tail = await readStream(run, stream, /^data:"./m);
  run.wireBytes = (stream.socket?.bytesRead ?? 0) - headerBytes(stream);
  own.destroy();
  const settled = /^data:(\{"type":"settled".*\})$/m.exec(tail)?.[1];
  if (settled === undefined) throw new Error("The reply's stream ended too early.");
  if (!settled.includes('"status":"done"')) throw new Error(`The reply ended as ${settled.slice(0, 300)}`);
  run.textLength = Number(/"text":(\d+)/.exec(settled)?.[1]);
}

async function askSimulator(
  run: TurnRun,
  { url, messages }: Extract<TurnJob["ask"], { kind: "simulator" }>,
  content: string,
  agent: Agent,
): Promise<void> {
  const body = JSON.stringify({ model: CHEAP_MODEL, stream: true, messages: [...messages, { role: "user", content }] });
  const stream = await send(`${url}/chat/completions`, { agent, headers: { authorization: "Bearer simulated" }, body });
  if (stream.statusCode !== 200) throw new Error(`The simulator answered ${stream.statusCode}.`);
  await readStream(run, stream, /"content":"[^"]/);
}

/** Reads a stream to its end, noting the first text and every stamp; answers its last characters. */
async function readStream(run: TurnRun, stream: IncomingMessage, text: RegExp): Promise<string> {
  stream.setEncoding("utf8");
  let tail = "";
  for await (const chunk of stream) {
    const at = now();
    const arrived = String(chunk);
    if (Number.isNaN(run.firstTextMs) && text.test(arrived)) run.firstTextMs = at - run.startedAt;
    for (const [, stamp] of arrived.matchAll(/\d+@(\d+\.\d{3});/g)) {
      run.stampedAt.push(Number(stamp));
      run.lags.push(at - Number(stamp));
    }
    tail = (tail + arrived).slice(-4_000);
  }
  return tail;
}

function headerBytes(response: IncomingMessage): number {
  const lines = response.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0);
  return `HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n`.length + lines + 2;
}

type Sent = { agent: Agent; headers: Record<string, string>; body?: string; method?: string };

/** One request by `node:http`, whose own cost is small. */
export function send(url: string, { agent, headers, body, method = body === undefined ? "GET" : "POST" }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        },
      },
      resolve,
    );
    // A kept connection may be closed by the server just as it is used again; the same id makes asking twice safe.
    sent.on("error", (error) =>
      sent.reusedSocket ? resolve(send(url, { agent, headers, method, ...(body !== undefined && { body }) })) : reject(error),
    );
    sent.end(body);
  });
}

/** A whole body as text. */
export async function readAll(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
