/**
 * The policies with which a page of the application may make what the browser would run: `own-scripts` names the product's own files,
 * `character-references` makes one reference and no element, `diagram-frame` the one document that draws diagrams, and inside of that
 * mermaid and its sanitiser have the two others.
 */
export const TRUSTED_TYPES_POLICIES = ["own-scripts", "character-references", "diagram-frame", "dompurify", "default"] as const;
export type TrustedTypesPolicy = (typeof TRUSTED_TYPES_POLICIES)[number];
