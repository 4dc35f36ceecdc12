import { createStore, useStore } from "#web/lib/store.ts";

type NamedModel = { id: string; name: string };

/** Where the dialogs open: on the page, or within the settings, which a dialog of the page would close. */
export type AccessPlace = "page" | "settings";

/** Which dialog about a model is open, for which, and where; the model stays while the dialog closes. */
type AccessState = { open: "pro" | "sign_in" | null; model: NamedModel | null; place: AccessPlace };

const state = createStore<AccessState>({ open: null, model: null, place: "page" });

/** Opens 'Pro Model Access Required' for a model: on picking it, and when the server answers PRO_MODEL_REQUIRED. */
export function openProDialog(model: NamedModel, place: AccessPlace = "page"): void {
  state.set({ open: "pro", model, place });
}

/** Offers signing in for a model that guests may not use. */
export function openSignInForModel(model: NamedModel): void {
  state.set({ open: "sign_in", model, place: "page" });
}

/** Closes whichever of the dialogs is open. */
export function closeAccess(): void {
  state.set({ ...state.get(), open: null });
}

/** What the access dialogs show. */
export function useAccess(): AccessState {
  return useStore(state);
}
