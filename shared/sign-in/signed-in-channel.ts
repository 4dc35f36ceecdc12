/** Where a page of this browser tells the others that somebody has signed in, with why it failed where it did: `{ failure }`. */
export const SIGNED_IN_CHANNEL = "signed-in";
