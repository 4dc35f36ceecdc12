import type { AllowedModel } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";

const AUTO: AllowedModel = { id: AUTO_MODEL_ID, name: "Auto" };

/** An allowlist as it is kept: plain ids get their names (`names` by id, the id itself where none is known), each model once, the automatic one always. Null allows all. */
export function normaliseAllowlist(
  list: readonly (AllowedModel | string)[] | null,
  names: ReadonlyMap<string, string> = new Map(),
): AllowedModel[] | null {
  if (list === null) return null;
  const byId = new Map<string, AllowedModel>();
  for (const item of list) {
    const { id, name } = typeof item === "string" ? { id: item, name: names.get(item) ?? item } : item;
    if (!byId.has(id)) byId.set(id, id === AUTO_MODEL_ID ? AUTO : { id, name });
  }
  if (!byId.has(AUTO_MODEL_ID)) byId.set(AUTO_MODEL_ID, AUTO);
  return [...byId.values()];
}

/** Whether the allowlist lets a model be picked; the automatic ones, which choose within it, always can. */
export function isAllowed(id: string, allowlist: readonly AllowedModel[] | null): boolean {
  return allowlist === null || id === AUTO_MODEL_ID || id === AUTOPILOT_MODEL_ID || allowlist.some((model) => model.id === id);
}

/** The preferred model if the allowlist has it, else the first allowed one; null stays null. */
export function preferredWithin(preferred: string | null, allowlist: readonly AllowedModel[] | null): string | null {
  if (preferred === null || isAllowed(preferred, allowlist)) return preferred;
  return allowlist?.[0]?.id ?? AUTO_MODEL_ID;
}
