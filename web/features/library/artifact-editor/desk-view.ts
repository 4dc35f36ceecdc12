import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";

/** What of an artifact is seen: its source, how it reads, or both beside each other. */
export type DeskView = "editor" | "split" | "preview";

const storedView = stored<DeskView>("artifact-view", z.enum(["editor", "split", "preview"]), "preview");

/** Pixels from which on both fit beside each other. */
export const SPLIT_PX = 1_000;

/** How an artifact opens: an empty one to be typed in, any other to be read unless somebody chose otherwise; narrow screens hold one of both. */
export function firstView({ isEmpty, canEdit, isNarrow }: { isEmpty: boolean; canEdit: boolean; isNarrow: boolean }): DeskView {
  if (!canEdit) return "preview";
  const wanted = isEmpty && storedView.read() === "preview" ? (isNarrow ? "editor" : "split") : storedView.read();
  return isNarrow && wanted === "split" ? "editor" : wanted;
}

/** Opens further artifacts in this view. */
export function storeView(view: DeskView): void {
  storedView.write(view);
}
