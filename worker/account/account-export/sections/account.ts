import { fromMicros } from "#worker/platform/spending/money.ts";
import { type ExportContext, prettyJson, type Section } from "../section.ts";
import { selectProfile } from "./queries.ts";

const ENDINGS: Record<string, string> = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" };

/** Who the person is and what they set up; sign-ins, keys and what connections are opened with are not read. */
export const accountSection: Section = {
  async write(context) {
    const { archive, db, userId, count } = context;
    const { row, addresses, tools, calls, connections, membership } = await selectProfile(db, userId);
    if (!row) return null;
    const { id, email, display_name, solo_plan, team_plan, created_at, last_seen_at, profile_image, ...rest } = row;
    const { anonymous: _guest, blocked_at: _blocked, credits_micros: _gift, triggered_daily_budget_micros: budget, ...settings } = rest;
    const profile = { id, email, display_name, solo_plan, team_plan, created_at, last_seen_at };
    await archive.text("profile/profile.json", prettyJson(profile));
    await archive.text("profile/settings.json", prettyJson({ ...settings, triggered_daily_budget: fromMicros(budget) }));
    const own = tools.map(({ user_id: _owner, ...tool }) => tool);
    await archive.text("profile/tools.json", prettyJson(own));
    const { user_id: _caller, ...rules } = calls ?? { user_id: userId };
    await archive.text("profile/calls.json", prettyJson(calls ? rules : null));
    await archive.text("profile/addresses.json", prettyJson(addresses));
    await archive.text("profile/teams.json", prettyJson(membership));
    await archive.text("profile/mcp-connections.json", prettyJson(connections));
    count("tool_settings", own.length);
    count("additional_addresses", addresses.length);
    count("teams", membership.length);
    count("mcp_connections", connections.length);
    if (profile_image) await writePicture(context, profile_image);
    return null;
  },
};

async function writePicture({ env, archive, count, leaveOut }: ExportContext, path: string): Promise<void> {
  const [id] = path.split("/").slice(-1);
  const stored = path.startsWith("/") ? await env.FILES.get(`pictures/${id}`) : null;
  if (!stored)
    return leaveOut(
      "your profile picture",
      path.startsWith("/") ? "It is no longer stored." : "It lies elsewhere, at your sign-in's provider.",
    );
  const ending = ENDINGS[stored.httpMetadata?.contentType ?? ""] ?? "bin";
  await archive.file(`profile/picture.${ending}`, stored.body, { at: stored.uploaded, isDeflated: false });
  count("profile_pictures");
}
