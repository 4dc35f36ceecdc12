import type { AllowedModel } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";

/** The ticks of the allowlist editor: ids, the automatic model always among them. */
export type Ticks = ReadonlySet<string>;

/** The ticks of a saved allowlist; null ticks everything. */
export function ticksOf(allowlist: readonly AllowedModel[] | null, models: readonly AllowedModel[]): Ticks {
  const ids = models.map((model) => model.id);
  const allowed = allowlist === null ? ids : ids.filter((id) => allowlist.some((model) => model.id === id));
  return new Set([AUTO_MODEL_ID, ...allowed]);
}

/** The ticks with one turned over; the automatic model's stays. */
export function toggleTick(ticks: Ticks, id: string): Ticks {
  if (id === AUTO_MODEL_ID) return ticks;
  const next = new Set(ticks);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The ticks with those of the shown models all set or all cleared; models that a search hides keep theirs. */
export function tickShown(ticks: Ticks, shown: readonly AllowedModel[], on: boolean): Ticks {
  const ids = shown.map((model) => model.id).filter((id) => id !== AUTO_MODEL_ID);
  if (on) return new Set([...ticks, ...ids]);
  const cleared = new Set(ids);
  return new Set([...ticks].filter((id) => !cleared.has(id)));
}

/** The allowlist to save: null when every model is ticked, so models to come are allowed too. */
export function allowlistOf(ticks: Ticks, models: readonly AllowedModel[]): AllowedModel[] | null {
  const allowed = models.filter((model) => ticks.has(model.id));
  return allowed.length === models.length ? null : allowed.map(({ id, name }) => ({ id, name }));
}

/** Whether two sets of ticks are the same. */
export function isSameTicks(a: Ticks, b: Ticks): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
