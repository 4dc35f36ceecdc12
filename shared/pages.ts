/** The addresses of the pages that the application draws inside its shell (web/router.tsx), administration aside, which is there for few. */
export const PAGE = /^\/(?:new|approvals|schedules|changelog|goodbye|artifacts(?:\/[^/]+)?|c\/[^/]+)?\/?$/;

/** The endings of the files that a build leaves for browsers beside its one document; nothing else is served. */
export const SERVED = /\.(?:bcmap|css|js|pfb|png|svg|ttf|txt|webmanifest|woff2?)$/;
