import type { Contributor } from "#worker/conversation/turn/contribution.ts";
import { selectTools } from "#worker/conversation/tools/select-tools.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";

/** The tools that the chat's categories and the person's settings leave on. */
export function contributeEnabledTools(all: readonly Tool[]): Contributor {
  return async ({ env, request, settings }) => {
    const { model, reader, tools } = request;
    return {
      tools: selectTools(all, env, {
        categories: tools.categories ?? settings.tool_categories,
        settings: tools.settings,
        modelHasTools: model.tools,
        isGuest: reader.anonymous,
      }),
    };
  };
}
