import { KNOWLEDGE_PROBLEMS } from "#shared/library/knowledge-problems.ts";
import { AppError } from "../app-error.ts";
import { fileResponse } from "../attachments/serve-attachment.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { selectFile, selectKnowledgeById } from "./queries.ts";
import type { FileName } from "./files.ts";
import { fileUrl } from "./keys.ts";

/** What is asked for, and the `If-None-Match` of a browser that has it already. */
type Wanted = FileName & { userId: string; held: string | undefined };

/**
 * A file for whoever may use its entry: pictures and PDFs to show, everything else to download, and nothing in it can run. A browser may
 * keep it, but asks each time whether its person may still see it. Throws NOT_FOUND, and INVALID_INPUT for an address that is none of ours.
 */
export async function serveFile(env: Env, db: Database, { contextId, id, userId, held }: Wanted): Promise<Response> {
  const [[entry], file] = await Promise.all([selectKnowledgeById(db, userId, [contextId]), selectFile(db, { contextId, id })]);
  if (!entry || !file?.is_stored) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  if (file.file_url !== fileUrl({ contextId, id })) throw new AppError("INVALID_INPUT", { message: KNOWLEDGE_PROBLEMS.fileAddress });
  const { object_key: key, file_name: name, file_type: type } = file;
  const response = await fileResponse(env.FILES, { key, name, type, isShown: type.startsWith("image/") || type === PDF, held });
  if (!response) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  return response;
}

const PDF = "application/pdf";
