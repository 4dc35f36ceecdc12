import { connectedName, isConnectionCategory } from "#shared/tools/connected-tools.ts";
import type { ContextInput } from "#worker/conversation/turn/contribution.ts";

/** True where a turn may call tools of its person's connections: by the chat's categories, or as one is on in every chat. */
export function usesConnections({ request, settings }: Pick<ContextInput, "request" | "settings">): boolean {
  const { reader, model, tools } = request;
  if (reader.anonymous || !model.tools) return false;
  if ((tools.categories ?? settings.tool_categories).some(isConnectionCategory)) return true;
  return Object.entries(tools.settings).some(
    ([id, { enabled, is_always_on_override: isOn }]) => enabled && isOn && connectedName(id) !== null,
  );
}
