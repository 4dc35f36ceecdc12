import { useMutation, useQuery } from "@tanstack/react-query";
import { getToolSettings, putToolSettings, type ToolSettingPatch } from "#shared/contracts/tools.ts";
import type { ToolSetting, ToolSettings } from "#shared/entities/tool-setting.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";

type SettingsAnswer = { settings: ToolSettings };

/** What this person set about single tools. */
export function useToolSettings() {
  return useQuery<SettingsAnswer>({
    queryKey: keys.toolSettings,
    queryFn: ({ signal }) => call(getToolSettings, {}, { signal }),
    staleTime: lifetimes.short,
  });
}

type Change = { tool: string; patch: ToolSettingPatch; next: ToolSetting };

/** Changes one tool's setting: seen at once, and taken back with the reason where saving fails. */
export function useChangeToolSetting() {
  return useMutation({
    mutationKey: keys.toolSettings,
    scope: { id: "tool-settings" },
    mutationFn: ({ tool, patch }: Change) => call(putToolSettings, { body: { settings: { [tool]: patch } } }),
    onMutate: async ({ tool, next }) => {
      await queryClient.cancelQueries({ queryKey: keys.toolSettings });
      const before = queryClient.getQueryData<SettingsAnswer>(keys.toolSettings)?.settings[tool];
      setSetting(tool, next);
      return { before };
    },
    onError: (error, { tool }, context) => {
      setSetting(tool, context?.before);
      toastFailure("The tool was not changed", error);
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: keys.toolSettings }) === 1) {
        void queryClient.invalidateQueries({ queryKey: keys.toolSettings });
      }
    },
  });
}

function setSetting(tool: string, setting: ToolSetting | undefined): void {
  queryClient.setQueryData<SettingsAnswer>(keys.toolSettings, (held) => {
    const others = Object.entries(held?.settings ?? {}).filter(([id]) => id !== tool);
    return { settings: Object.fromEntries(setting ? [...others, [tool, setting]] : others) };
  });
}
