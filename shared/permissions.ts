/** What a person is to a chat: by its own list, as a reader of its public page, or nothing at all. */
export const ROLES = ["owner", "editor", "viewer", "reader", "stranger"] as const;
export type Role = (typeof ROLES)[number];

const MEMBERS = ["owner", "editor", "viewer"] as const;
const WRITERS = ["owner", "editor"] as const;

/** Who may do what in a chat: the table of the decisions, "Rights in a chat". A public page's reader reads and forks its text alone. */
export const RIGHTS = {
  read: [...MEMBERS, "reader"],
  fork: [...MEMBERS, "reader"],
  search: MEMBERS,
  export: MEMBERS,
  mark: MEMBERS,
  leave: MEMBERS,
  send: WRITERS,
  regenerate: WRITERS,
  edit_own: WRITERS,
  attach: WRITERS,
  queue: WRITERS,
  edit_others: WRITERS,
  stop: WRITERS,
  rename: WRITERS,
  settings: WRITERS,
  mail: WRITERS,
  decide: WRITERS,
  share: WRITERS,
  publish: WRITERS,
  delete: ["owner"],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof RIGHTS;

/** True where this role may do this; a pending tool call is decided by the one whose turn it is, on top of it. */
export function can(role: Role, action: Action): boolean {
  const allowed: readonly Role[] = RIGHTS[action];
  return allowed.includes(role);
}

/** The highest of all the ways someone reaches a chat (their own share, their teams', the public page). */
export function highestRole(roles: readonly Role[]): Role {
  return ROLES.find((role) => roles.includes(role)) ?? "stranger";
}
