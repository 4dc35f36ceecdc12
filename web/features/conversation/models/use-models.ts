import { queryOptions, useQuery } from "@tanstack/react-query";
import { listModels } from "#shared/contracts/models.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { nameWithoutVendor, shortModelName, shortModelNames } from "#shared/models/model-names.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

/** How the catalogue is asked for and cached: 5 minutes, as on the server. */
export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: async ({ signal }) => {
    try {
      return await call(listModels, {}, { signal });
    } catch (error) {
      // The selector's empty state sends people to the console.
      // oxlint-disable-next-line no-console
      if (!signal.aborted) console.error("The models could not be loaded:", error);
      throw error;
    }
  },
  staleTime: lifetimes.models,
});

/** Every model of this deployment, 'Auto' first; the allowlist is not applied. */
export function useModels() {
  return useQuery(modelsQuery);
}

/** A model's name without its maker; until the catalogue is here, or for a model that left it, what its id says. */
export function useModelName(id: string | null): string {
  const { data } = useModels();
  return modelName(data?.models, id ?? AUTO_MODEL_ID);
}

const shortNames = new WeakMap<readonly Model[], ReadonlyMap<string, string>>();

/** Made once for each catalogue: every name is compared with all others. */
function shortNamesOf(models: readonly Model[]): ReadonlyMap<string, string> {
  const names = shortNames.get(models) ?? shortModelNames(models);
  shortNames.set(models, names);
  return names;
}

/** A model's name as buttons and rows show it: cut, and distinct from every other in the catalogue; `name` is that of one which is not in it. */
export function useShortModelName(id: string, name?: string): string {
  const { data } = useModels();
  return (data && shortNamesOf(data.models).get(id)) ?? shortModelName(name ?? modelName(data?.models, id));
}

/** As `useModelName`, from a list at hand. */
export function modelName(models: readonly Model[] | undefined, id: string): string {
  const known = models?.find((model) => model.id === id);
  if (known) return nameWithoutVendor(known.name);
  if (id === AUTOPILOT_MODEL_ID) return "Autopilot";
  return id === AUTO_MODEL_ID ? "Auto" : id.slice(id.lastIndexOf("/") + 1);
}
