import { createContext } from "react";

/** What a model is called that wrote a version; who shows an artifact provides it. */
export const ModelNamesContext = createContext<(id: string) => string>((id) => id);
