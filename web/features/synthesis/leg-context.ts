import { createContext } from "react";

/** A model whose answer went into a synthesis. */
export type Leg = { name: string; modelId: string };

const NO_LEGS: readonly Leg[] = [];

/** The models that the text around a component compares; none in any other text. */
export const LegContext = createContext(NO_LEGS);
