/** Inside the frame that draws diagrams mermaid may write the markup it measures: its origin is opaque, and holds nothing. */
import { createPolicy } from "#web/lib/trusted-types.ts";

createPolicy("default", { createHTML: (markup) => markup });
