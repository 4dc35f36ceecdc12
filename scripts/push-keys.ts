import { newPushKeys } from "./lib/state.ts";

const lines = Object.entries(newPushKeys()).map(([name, value]) => `${name}=${value}\n`);
process.stdout.write(lines.join(""));
