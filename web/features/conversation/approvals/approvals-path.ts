/** The address of all that waits for a person's word. */
export const APPROVALS_PATH = "/approvals";
