import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { TurnErrorProps } from "./turn-error-block.tsx";

/** Why an answer failed; few answers need it. */
export const TurnError = lazyPart<TurnErrorProps>(async () => (await import("./turn-error-block.tsx")).TurnErrorBlock);
