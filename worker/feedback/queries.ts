import type { Database } from "../db/client.ts";
import { feedback } from "../db/schema/feedback.ts";

/** Keeps one message to the operator. */
export async function insertFeedback(db: Database, userId: string, message: string): Promise<void> {
  await db.insert(feedback).values({ id: crypto.randomUUID(), user_id: userId, message, created_at: new Date().toISOString() });
}
