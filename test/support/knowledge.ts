import { env } from "cloudflare:workers";
import { createKnowledge, getKnowledge, putKnowledgeFile } from "#shared/contracts/library/knowledge.ts";
import type { Knowledge, KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { ErrorBody } from "#shared/errors.ts";
import { until } from "./until.ts";
import type { Client, Person } from "./worker.ts";

/** A knowledge entry. */
export async function make(
  client: Client,
  rest: { name?: string; text_content?: string; team_id?: string; id?: string } = {},
): Promise<Knowledge> {
  return (await client.take(createKnowledge, { body: { name: "Company facts", ...rest } })).context;
}

type Sent = { name: string; body: BodyInit; id?: string; headers?: Record<string, string> };

/** Sends a file. */
export async function sendKnowledgeFile(client: Client, entryId: string, { name, body, id = crypto.randomUUID(), headers = {} }: Sent) {
  const path = `/api/user-contexts/${entryId}/files/${id}?name=${encodeURIComponent(name)}`;
  const response = await client.fetch(path, { method: "PUT", body, headers });
  const json: unknown = await response.json();
  if (response.ok) return { ok: true as const, status: response.status, file: putKnowledgeFile.response?.parse(json).file };
  return { ok: false as const, status: response.status, ...ErrorBody.parse(json) };
}

/** Adds a file that is taken. */
export async function addKnowledgeFile(client: Client, entryId: string, sent: Sent): Promise<KnowledgeFile> {
  const answer = await sendKnowledgeFile(client, entryId, sent);
  if (!answer.ok || !answer.file) throw new Error(`Not taken: ${JSON.stringify(answer)}`);
  return answer.file;
}

/** An entry as it is now. */
export const readKnowledgeEntry = async (client: Client, id: string) => (await client.take(getKnowledge, { params: { id } })).context;

/** The entry once no file of it is pending. */
export function read(client: Client, id: string): Promise<Knowledge> {
  return until("the files to be read", async () => {
    const entry = await readKnowledgeEntry(client, id);
    return entry.user_context_files.every((file) => file.sync_status !== "pending") ? entry : null;
  });
}

/** Where the files of an entry lie. */
export async function stored(entryId: string): Promise<string[]> {
  return (await env.FILES.list({ prefix: `contexts/${entryId}/` })).objects.map(({ key }) => key);
}

/** What an entry's index holds. */
export const indexed = async (entryId: string) => (await env.PASSAGES.getByName(entryId).describe()).documents.map(({ id }) => id);

/** A team with these people, the first of them its admin. */
export async function makeTeam(...people: Person[]): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Team', ?, '')").bind(id, people[0]?.user.id ?? ""),
    ...people.map(({ user }, place) =>
      env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, ?, '')").bind(
        id,
        user.id,
        place === 0 ? "admin" : "member",
      ),
    ),
  ]);
  return id;
}
