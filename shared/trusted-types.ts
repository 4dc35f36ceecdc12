/**
 * The policies with which a page of the application may make what the browser would run: `own-scripts` names the product's own files,
 * `character-references` makes one reference and no element.
 */
export const PAGE_POLICIES = ["own-scripts", "character-references"] as const;

/** The document that draws diagrams, in a frame without an origin, and its policies: mermaid and its sanitiser write markup there. */
export const DIAGRAM_FRAME = "/diagram-frame";
export const DIAGRAM_POLICIES = ["dompurify", "default"] as const;

export type TrustedTypesPolicy = (typeof PAGE_POLICIES)[number] | (typeof DIAGRAM_POLICIES)[number];
