import type { CategoryState } from "#shared/entities/tool-category.ts";
import type { CodegenConnection } from "#shared/entities/outbound/codegen-connection.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { checkAccess, type CodegenAccess } from "#worker/platform/clients/runs/codegen.ts";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { deleteConnection, selectConnection, selectIsEnabled, updateError, upsertConnection } from "./queries.ts";

const PROVIDER = "codegen";
const UNREADABLE = "The token cannot be read any more. Connect again.";

/** How a person's code agent is connected; the token stays where it is. */
export async function connectionStatus(db: Database, userId: string): Promise<CodegenConnection> {
  const row = await selectConnection(db, userId);
  return { connected: row !== undefined, orgId: row?.org_id ?? null, error: row?.error ?? null };
}

/** Keeps an organization and its token, once the service takes them. Throws INVALID_INPUT with the service's reason. */
export async function connect(env: Env, db: Database, userId: string, { orgId, token }: CodegenAccess): Promise<string> {
  const checked = await checkAccess(env, { orgId, token }, new AbortController().signal);
  if (!checked.ok) throw new AppError("INVALID_INPUT", { message: checked.message });
  await upsertConnection(db, { user_id: userId, org_id: orgId, token: await sealCredential(env, { userId, provider: PROVIDER }, token) });
  return `Connected to ${checked.value.name}`;
}

/** Forgets a connection; that there was none changes nothing. */
export const disconnect = deleteConnection;

/** What opens a person's organization; null where nothing is connected. */
export async function accessOf(env: Env, userId: string): Promise<CodegenAccess | null> {
  const db = openDatabase(env.DB);
  const row = await selectConnection(db, userId);
  const token = row && (await openCredential(env, { userId, provider: PROVIDER }, row.token));
  if (row && token === null) await noteTrouble(env, userId, UNREADABLE);
  return row && token != null ? { orgId: row.org_id, token } : null;
}

/** Notes why a person's connection does not work, or with null that it does; their settings say so. */
export async function noteTrouble(env: Env, userId: string, error: string | null): Promise<void> {
  await updateError(openDatabase(env.DB), userId, error);
}

/** How the category of the code agent stands with a person: it is there for who connected it, or wants it shown. */
export async function codegenState(db: Database, userId: string): Promise<CategoryState | null> {
  const row = await selectConnection(db, userId);
  if (row) return row.error === null ? "ready" : "failing";
  return (await selectIsEnabled(db, userId)) ? "needs_sign_in" : null;
}
