/** The Worker on the strict platform, as the tests' runtime takes it. Not by `#worker`, which leads here (vitest.config.ts). */
import real, * as classes from "../../../worker/index.ts";
import { strictHandlers, strictObjects } from "./platform.ts";

const { ChatRoom: Room, DriveIndex: Drive, PassageIndex: Passages, RateLimiter: Limiter, UserHub: Hub } = classes;

export const { ChatRoom, DriveIndex, PassageIndex, RateLimiter, UserHub } = strictObjects({
  ChatRoom: Room,
  DriveIndex: Drive,
  PassageIndex: Passages,
  RateLimiter: Limiter,
  UserHub: Hub,
});

export default strictHandlers(real);
