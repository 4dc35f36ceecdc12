/** The addresses of the pages that the application draws inside its shell (web/router.tsx), administration aside, which is there for few. */
export const PAGE = /^\/(?:new|approvals|schedules|changelog|goodbye|artifacts(?:\/[^/]+)?|c\/[^/]+)?\/?$/;
