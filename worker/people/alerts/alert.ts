import * as z from "zod/mini";

/** What an account's owner is notified by mail, as it decides who gets in: `-gone` is what was removed. */
export const AlertKind = z.enum(["browser", "key", "address", "address-gone", "number", "number-gone", "linked", "linked-gone"]);

/** Something that happened to an account at `at` (ISO 8601); `detail` names the browser, key, address, number or linked sign-in. */
export const Alert = z.object({ userId: z.string(), what: AlertKind, detail: z.string(), at: z.string(), origin: z.string() });
export type Alert = z.infer<typeof Alert>;
