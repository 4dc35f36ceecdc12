import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import type { Build } from "./build/build.ts";
import type { Vars } from "./dev-vars.ts";
import { localRoutes } from "./local-routes.ts";
import { mailDoor } from "./mail-door.ts";
import { migrateLocal } from "./migrate.ts";
import { persistPath } from "./state.ts";
import { workerOptions } from "./build/worker-options.ts";

/** A line of the Worker's own log. */
export type WorkerLog = { level: string; message: string };

/** True for the runtime's own line about a browser that left in the middle of an answer. */
export function isGoneReader({ message }: WorkerLog): boolean {
  return /^kj::.*disconnected: /.test(message);
}

export type Served = { url: string; database(): ReturnType<Miniflare["getD1Database"]>; close(): Promise<void> };

type Options = {
  build: Build;
  /** The folder of the database's migrations; this repository's unless given. */
  migrations?: string | undefined;
  port: number;
  /** Where the Worker itself listens, without the local platform's Workers in front of it; nowhere unless given. */
  directPort?: number;
  /** Where mails come in as the platform hands them over (mail-door.ts); nowhere unless given. */
  mailPort?: number;
  /** Where a Chrome inspector may look into the Worker; nowhere unless given. */
  inspectorPort?: number;
  /** Where D1, R2, queues and objects are kept. */
  stateDir: string;
  vars: Vars;
  /** The mailbox simulator behind `/dev/mailbox`. */
  mailboxUrl?: string | undefined;
  /** The messaging app's simulator behind `/dev/phone`. */
  phoneUrl?: string | undefined;
  onLog?: (log: WorkerLog) => void;
};

/** Migrates, then serves a build in workerd on 127.0.0.1; the browser speaks to workerd itself, with no proxy between. */
export async function serveBuild(options: Options): Promise<Served> {
  const { build, migrations, port, directPort, mailPort, inspectorPort, stateDir, vars, mailboxUrl, phoneUrl, onLog } = options;
  const worker = workerOptions(build, { ...vars, VERSION: build.version });
  const persistTo = persistPath(stateDir);
  await migrateLocal(persistTo, migrations);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port,
      ...(inspectorPort !== undefined && { inspectorPort }),
      workers: [
        worker,
        localRoutes({ mailboxUrl, phoneUrl }, directPort === undefined ? undefined : { port: directPort, serviceName: worker.name }),
        ...(mailPort === undefined ? [] : [mailDoor(mailPort, worker.name ?? "")]),
      ],
      resourcePersistencePath: persistTo,
      unsafeTriggerHandlers: true,
      log: new Log(LogLevel.NONE),
      logRequests: false,
      cf: false,
      telemetry: { enabled: false },
      handleStructuredLogs: ({ level, message }) => onLog?.({ level, message }),
      handleUncaughtError: (error) => onLog?.({ level: "error", message: error.stack ?? error.message }),
    }),
  );
  await runtime.ready;
  return {
    url: `http://localhost:${port}`,
    database: () => runtime.getD1Database("DB", worker.name),
    close: () => runtime.dispose(),
  };
}
