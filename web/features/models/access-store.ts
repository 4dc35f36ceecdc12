import { createStore, useStore } from "#web/lib/store.ts";

type NamedModel = { id: string; name: string };

/** How far the request for a Pro model has come (spec 4, Model access request). */
export type AccessRequest = { kind: "idle" } | { kind: "submitting" } | { kind: "submitted" } | { kind: "failed"; reason: string };

/** Where the dialogs open: on the page, or within the settings, which a dialog of the page would close. */
export type AccessPlace = "page" | "settings";

/** Which dialog about a model is open, for which, and where; the model stays while the dialog closes. */
export type AccessState = { open: "pro" | "sign_in" | null; model: NamedModel | null; place: AccessPlace; request: AccessRequest };

export type AccessEvent =
  | { type: "open"; dialog: "pro" | "sign_in"; model: NamedModel; place: AccessPlace }
  | { type: "close" }
  | { type: "request"; modelId: string; request: AccessRequest };

export const CLOSED: AccessState = { open: null, model: null, place: "page", request: { kind: "idle" } };

/** The next state: a request belongs to one model and starts again with another. */
export function reduceAccess(state: AccessState, event: AccessEvent): AccessState {
  switch (event.type) {
    case "open": {
      const isSame = state.model?.id === event.model.id;
      return { open: event.dialog, model: event.model, place: event.place, request: isSame ? state.request : { kind: "idle" } };
    }
    case "close":
      return { ...state, open: null };
    case "request":
      return state.model?.id === event.modelId ? { ...state, request: event.request } : state;
  }
}

const state = createStore(CLOSED);

/** Changes what the access dialogs show. */
export function dispatchAccess(event: AccessEvent): void {
  state.set(reduceAccess(state.get(), event));
}

/** Opens 'Pro Model Access Required' for a model: on picking it, and when the server answers PRO_MODEL_REQUIRED. */
export function openProDialog(model: NamedModel, place: AccessPlace = "page"): void {
  dispatchAccess({ type: "open", dialog: "pro", model, place });
}

/** Offers signing in for a model that guests may not use. */
export function openSignInForModel(model: NamedModel): void {
  dispatchAccess({ type: "open", dialog: "sign_in", model, place: "page" });
}

/** What the access dialogs show. */
export function useAccess(): AccessState {
  return useStore(state);
}
