export { isLeaving } from "./queries.ts";
