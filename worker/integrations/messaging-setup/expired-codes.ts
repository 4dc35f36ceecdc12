/** Codes for numbers that nobody entered in time: the night forgets them, without all that sends them. */
export { deletePastNumberCodes } from "./queries.ts";
