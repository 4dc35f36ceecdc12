/** The server that the soak kills: serves what its one argument says, and says when it does. */
import * as z from "zod";
import { showError } from "./bench-server.ts";
import { runMain } from "../run-main.ts";
import { serveBuild } from "../serve.ts";

const Config = z.object({
  build: z.object({ directory: z.string(), version: z.string(), workerConfig: z.string(), client: z.string() }),
  port: z.number(),
  stateDir: z.string(),
  vars: z.record(z.string(), z.string()),
});

await runMain(async () => {
  const config = Config.parse(JSON.parse(process.argv[2] ?? ""));
  await serveBuild({ ...config, onLog: showError });
  process.stdout.write("serving\n");
});
