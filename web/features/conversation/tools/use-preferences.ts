import { useMutation, useQuery } from "@tanstack/react-query";
import { type Preferences, getPreferences, putPreferences } from "#shared/contracts/account/preferences.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { rememberedPreferences } from "#web/features/people/session/remembered-preferences.ts";

type PreferencesAnswer = { preferences: Preferences };

const UNSET: Preferences = { defaultToolCategories: [], enableCodegen: false };

/** What this person prefers; what this browser remembers until the server has answered. */
export function usePreferences(): Preferences {
  const { user } = useSession();
  const { data } = useQuery<PreferencesAnswer>({
    queryKey: keys.preferences,
    queryFn: async ({ signal }) => keep(await call(getPreferences, {}, { signal })),
    enabled: user !== null,
    staleTime: lifetimes.models,
    placeholderData: () => {
      const preferences = rememberedPreferences.read();
      return preferences ? { preferences } : undefined;
    },
  });
  return (user && data?.preferences) || UNSET;
}

function keep(answer: PreferencesAnswer): PreferencesAnswer {
  rememberedPreferences.write(answer.preferences);
  return answer;
}

/** Changes preferences: seen at once, saved one after another, and taken back with the reason where saving fails. */
export function useChangePreferences() {
  return useMutation({
    mutationKey: keys.preferences,
    scope: { id: "preferences" },
    mutationFn: (next: Preferences) => call(putPreferences, { body: next }),
    onMutate: async (next) => {
      await queryClient.cancelQueries({ queryKey: keys.preferences });
      const before = queryClient.getQueryData<PreferencesAnswer>(keys.preferences) ?? {
        preferences: rememberedPreferences.read() ?? UNSET,
      };
      queryClient.setQueryData<PreferencesAnswer>(keys.preferences, keep({ preferences: next }));
      return before;
    },
    onError: (error, _next, before) => {
      if (before) queryClient.setQueryData<PreferencesAnswer>(keys.preferences, keep(before));
      toastFailure("The tools were not changed", error);
    },
    onSettled: () => {
      // What others changed meanwhile is read when nothing of this page's own is on its way.
      if (queryClient.isMutating({ mutationKey: keys.preferences }) === 1) {
        void queryClient.invalidateQueries({ queryKey: keys.preferences });
      }
    },
  });
}
