/** Where artifacts' texts and pictures lie in R2: ids alone, so no name can lead anywhere. */
import { AppError } from "#worker/platform/errors/app-error.ts";
import { deleteObjects } from "#worker/library/attachments/attachment-keys.ts";
import type { Env } from "#worker/platform/env.ts";

export function artifactFolder(artifactId: string): string {
  return `artifacts/${artifactId}/`;
}

export function pictureKey(artifactId: string, fileId: string): string {
  return `${artifactFolder(artifactId)}files/${fileId}`;
}

function bodyKey(artifactId: string, body: string): string {
  return `${artifactFolder(artifactId)}${body}`;
}

/** Stores a text and answers the name it goes by: each is new, so two savers never write the same one. */
export async function storeBody(env: Env, artifactId: string, content: string): Promise<string> {
  const body = crypto.randomUUID();
  await env.FILES.put(bodyKey(artifactId, body), content, { httpMetadata: { contentType: "text/markdown; charset=utf-8" } });
  return body;
}

/** A stored text. Throws NOT_FOUND where it is gone. */
export async function readBody(env: Env, artifactId: string, body: string): Promise<string> {
  const text = await findBody(env, artifactId, body);
  if (text === null) throw new AppError("NOT_FOUND");
  return text;
}

/** A stored text; null where it is gone. */
export async function findBody(env: Env, artifactId: string, body: string): Promise<string | null> {
  return (await (await env.FILES.get(bodyKey(artifactId, body)))?.text()) ?? null;
}

export async function dropBodies(env: Env, artifactId: string, bodies: readonly string[]): Promise<void> {
  await deleteObjects(
    env.FILES,
    bodies.map((body) => bodyKey(artifactId, body)),
  );
}
