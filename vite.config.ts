import { viteConfig } from "./scripts/lib/vite-config.ts";

export default viteConfig();
