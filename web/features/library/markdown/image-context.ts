import { createContext } from "react";

/**
 * What is done with the images of a text: those of a message can be shown on request, those within a link are a part of it,
 * an artifact shows its own pictures, all others are links to where they are.
 */
export type ImageUse = { kind: "link" } | { kind: "artifact" } | { kind: "text" } | { kind: "message"; chatId: string; messageId: string };

export const AS_LINK: ImageUse = { kind: "link" };
export const AS_TEXT: ImageUse = { kind: "text" };

/** How the images of the text around a component are shown. */
export const ImageContext = createContext<ImageUse>(AS_LINK);
