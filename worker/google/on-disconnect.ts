import type { Env } from "../env.ts";

type Forget = (place: { env: Env; userId: string }) => Promise<void>;

/** Each feature that keeps something it got by the connection stands here once, and removes it; it may be asked again. */
export const ON_DISCONNECT: readonly Forget[] = [];
