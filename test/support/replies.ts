import { sendMessage } from "#shared/contracts/chat/messages.ts";
import type { Endpoint, InputOf } from "#shared/contracts/endpoint.ts";
import { AcceptedEvent, decodeReplyEvent, type ReplyEvent, type SettledEvent } from "#shared/reply-events.ts";
import { parsePosition, type ReplyPosition } from "#shared/reply-position.ts";
import { addressOf, type Client } from "./worker.ts";

export type Received = { position: ReplyPosition; id: string; event: ReplyEvent };

type Enough = (received: Received[]) => boolean;

/** Reads a reply's event stream: to its end, or until `enough` says so, which then cuts the connection. */
export async function readReply(
  client: Client,
  { chatId, replyId, from, enough }: { chatId: string; replyId: string; from?: string; enough?: Enough },
): Promise<Received[]> {
  const response = await client.fetch(
    `/api/chat/${chatId}/replies/${replyId}`,
    from === undefined ? {} : { headers: { "last-event-id": from } },
  );
  if (!response.ok) throw new Error(`The reply's stream answered ${response.status}.`);
  return (await readEvents(response, enough)).received;
}

/** Begins a turn by a call whose answer is asked for as events. */
export async function beginStreamedTurn<E extends Endpoint>(client: Client, endpoint: E, input: InputOf<E>): Promise<Response> {
  const headers = { accept: "text/event-stream", "content-type": "application/json" };
  const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
  return client.fetch(addressOf(endpoint, input), { method: endpoint.method, headers, ...body });
}

/** Reads an answer's events as `readReply` does, and what comes before them. */
export async function readEvents(
  response: Response,
  enough: Enough = () => false,
): Promise<{ accepted: AcceptedEvent | null; received: Received[] }> {
  if (!response.body) throw new Error("The answer has no events.");
  let accepted: AcceptedEvent | null = null;
  const received: Received[] = [];
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { accepted, received };
    const frames = (rest + value).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const found = parseFrame(frame);
      if (found) received.push(found);
      else if (received.length === 0) accepted ??= parseAccepted(frame);
    }
    if (enough(received)) {
      await reader.cancel();
      return { accepted, received };
    }
  }
}

function parseAccepted(frame: string): AcceptedEvent | null {
  const data = /^data:\s?(.*)$/m.exec(frame)?.[1];
  return data === undefined ? null : AcceptedEvent.parse(JSON.parse(data));
}

function parseFrame(frame: string): Received | null {
  const id = /^id:\s?(.*)$/m.exec(frame)?.[1] ?? "";
  const data = /^data:\s?(.*)$/m.exec(frame)?.[1];
  const position = parsePosition(id);
  const event = data === undefined ? null : decodeReplyEvent(data);
  return position && event ? { position, id, event } : null;
}

/** What a reader holds after these events. */
export function textOf(received: Received[]): string {
  let text = "";
  for (const { event } of received) {
    if (event.type === "text") text += event.text;
    if (event.type === "replace") text = text.slice(0, event.text);
  }
  return text;
}

/** The last event, which says how the turn ended. */
export function settledOf(received: Received[]): SettledEvent {
  const last = received.at(-1)?.event;
  if (last?.type !== "settled") throw new Error(`The stream ended with ${last?.type ?? "nothing"}.`);
  return last;
}

export const CHEAP_MODEL = "openai/gpt-5-mini";

/** Sends the first message of a new chat, in a team's workspace where one is named, and answers its ids. */
export async function startChat(client: Client, content: string, modelId: string = CHEAP_MODEL, teamId?: string) {
  const chatId = crypto.randomUUID();
  const id = crypto.randomUUID();
  const body = { id, parent_id: null, content, model_id: modelId, ...(teamId !== undefined && { team_id: teamId }) };
  const turn = await client.take(sendMessage, { params: { id: chatId }, body });
  return { chatId, ...turn };
}

/** Sends the first message of a new chat and waits for the whole reply. */
export async function startChatAndRead(client: Client, content: string, modelId: string = CHEAP_MODEL, teamId?: string) {
  const chat = await startChat(client, content, modelId, teamId);
  const received = await readReply(client, chat);
  return { ...chat, received, text: textOf(received), settled: settledOf(received) };
}
