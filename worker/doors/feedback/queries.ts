import type { Database } from "#worker/platform/db/client.ts";
import { feedback } from "#worker/platform/db/schema/feedback.ts";

export async function insertFeedback(db: Database, userId: string, message: string): Promise<void> {
  await db.insert(feedback).values({ id: crypto.randomUUID(), user_id: userId, message, created_at: new Date().toISOString() });
}
