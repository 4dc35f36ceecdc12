import { eq, sql } from "drizzle-orm";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { hasGmail } from "#worker/platform/db/schema/google-connections.ts";
import { hasCodegen } from "#worker/platform/db/schema/outbound.ts";
import { toolSettings } from "#worker/platform/db/schema/tool-settings.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export async function selectToolSettings(db: Database, userId: string): Promise<ToolSettings> {
  const rows = await db.select().from(toolSettings).where(eq(toolSettings.user_id, userId));
  return Object.fromEntries(
    rows.map(({ tool_id, enabled, is_always_on_override, always_allowed }) => [
      tool_id,
      { enabled, is_always_on_override, always_allowed },
    ]),
  );
}

/** Writes the settings of the tools that are named, all or none. */
export async function upsertToolSettings(db: Database, userId: string, settings: ToolSettings): Promise<void> {
  const rows = Object.entries(settings).map(([tool_id, setting]) => ({
    user_id: userId,
    tool_id,
    ...setting,
    updated_at: new Date().toISOString(),
  }));
  const [first, ...others] = rows.map((row) =>
    db
      .insert(toolSettings)
      .values(row)
      .onConflictDoUpdate({
        target: [toolSettings.user_id, toolSettings.tool_id],
        set: {
          enabled: sql`excluded.enabled`,
          is_always_on_override: sql`excluded.is_always_on_override`,
          always_allowed: sql`excluded.always_allowed`,
          updated_at: sql`excluded.updated_at`,
        },
      }),
  );
  if (first) await db.batch([first, ...others]);
}

/** The tool categories that a user's new chats begin with, their default persona, the days that a call of theirs waits, and whether they have artifacts. */
export async function selectDefaults(db: Database, userId: string) {
  const row = await db
    .select({
      preferences: users.preferences,
      personaId: users.default_persona_id,
      approvalDays: users.approval_days,
      isOn: users.memory_enabled,
      isOnWhenTriggered: users.triggered_memory_enabled,
      artifactsEnabled: users.artifacts_enabled,
      hasCodegen: hasCodegen(users.id),
      hasGmail: hasGmail(users.id),
    })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return {
    defaultCategories: row?.preferences?.defaultToolCategories ?? [],
    defaultPersonaId: row?.personaId ?? null,
    memory: { isOn: row?.isOn ?? false, isOnWhenTriggered: row?.isOnWhenTriggered ?? false },
    approvalDays: row?.approvalDays ?? null,
    artifactsEnabled: row?.artifactsEnabled ?? true,
    hasCodegen: row?.hasCodegen === 1 || row?.preferences?.enableCodegen === true,
    hasGmail: row?.hasGmail === 1,
  };
}
