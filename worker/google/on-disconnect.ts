import type { Env } from "../env.ts";
import { loadOnce } from "../load-once.ts";

type Forget = (place: { env: Env; userId: string }) => Promise<void>;

const drive = loadOnce(() => import("../drive/forget.ts"));

/** Each feature that keeps something it got by the connection stands here once, and removes it; it may be asked again. */
export const ON_DISCONNECT: readonly Forget[] = [async (place) => (await drive()).forgetDrive(place)];
