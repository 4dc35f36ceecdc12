/** A thread that reads many streams, so the measuring process is not what is measured. */
import { Agent } from "node:http";
import { parentPort } from "node:worker_threads";
import { runJob, type TurnJob } from "./turn-client.ts";

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

parentPort?.on("message", (jobs: TurnJob[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void Promise.all(jobs.map((job) => runJob(job, agent))).then((runs) => parentPort?.postMessage(runs));
});
