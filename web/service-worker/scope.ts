declare const self: ServiceWorkerGlobalScope;

/** The service worker itself, as the compiler knows it. */
export const scope = self;
