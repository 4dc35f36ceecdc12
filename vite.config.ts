import { viteConfig } from "./scripts/lib/build/vite-config.ts";

export default viteConfig();
