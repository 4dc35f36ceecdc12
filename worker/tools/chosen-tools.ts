import type { ContextInput, Contribution } from "../turn/contribution.ts";
import { selectTools } from "./select-tools.ts";

/** The built-in tools that the chat's categories and the person's settings leave on. */
export async function chosenTools({ env, request, settings }: ContextInput): Promise<Pick<Contribution, "tools">> {
  const { model, reader, tools } = request;
  return {
    tools: selectTools(env, {
      categories: tools.categories ?? settings.tool_categories,
      settings: tools.settings,
      modelHasTools: model.tools,
      isGuest: reader.anonymous,
    }),
  };
}
