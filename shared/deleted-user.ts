/**
 * Who stands where somebody stood whose account was deleted: the author of what belongs to others. Nobody signs in as this user, and it is
 * the same one for all, so nothing distinguishes them.
 */
export const DELETED_USER = { id: "00000000-0000-4000-8000-000000000000", name: "Deleted user" } as const;

/** Stands where an address of theirs stood; no mail goes there (RFC 2606). */
export const DELETED_ADDRESS = "deleted-user@deleted.invalid";
