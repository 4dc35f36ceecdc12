import { createContext } from "react";

/** A model whose answer went into a synthesis. */
export type ComparedModel = { name: string; modelId: string };

const NO_MODELS: readonly ComparedModel[] = [];

/** The models that the text around a component compares; none in any other text. */
export const ComparedModelsContext = createContext(NO_MODELS);
