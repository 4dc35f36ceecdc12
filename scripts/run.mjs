// Runs one of the project's commands: installs what is missing, then starts the project's own Node.
// Plain JavaScript on built-in modules alone, as the machine's Node may be 20 and node_modules may not exist.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

function stop(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return null;
  }
}

/** npm keeps a list of what it really installed; optional packages are those of other systems. */
function isInstalled() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  if (!wanted) stop("package-lock.json is missing or broken: restore it with `git checkout package-lock.json`.");
  const present = packagesOf(join(root, "node_modules", ".package-lock.json"));
  if (!present || !existsSync(node)) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.devOptional || present[path]?.version === entry.version,
  );
}

function install() {
  process.stdout.write("Installing packages (about a minute, the first time) ...\n");
  const npm = process.env.npm_execpath;
  // Whatever the machine's settings are: the tools are devDependencies, and Node and workerd come by install scripts.
  const npmArgs = ["ci", "--include=dev", "--ignore-scripts=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...npmArgs], { cwd: root, encoding: "utf8" })
    : spawnSync("npm", npmArgs, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (done.error) stop(`npm could not be run (${done.error.message}): install Node 20 or newer together with npm.`);
  if (done.status !== 0) {
    const reason = (done.stderr ?? "")
      .split("\n")
      .map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim())
      .find((line) => line !== "" && !/^(?:code|syscall|errno) /.test(line) && !/warn/i.test(line));
    stop(
      `The packages could not be installed${reason ? `: ${reason}` : ""}. Check the connection to the npm registry and run \`npm ci\` to see all of it.`,
    );
  }
  if (!existsSync(node)) stop("The packages were installed, but Node 24 is not among them: delete node_modules and run this again.");
}

if (Number(process.versions.node.split(".")[0]) < 20) {
  stop(`Node ${process.versions.node} is too old: install Node 20 or newer from https://nodejs.org.`);
}
if (!command || !existsSync(join(root, "scripts", `${command}.ts`))) stop(`There is no command "${command ?? ""}".`);
if (!isInstalled()) install();

const separator = process.platform === "win32" ? ";" : ":";
const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(root, "scripts", `${command}.ts`), ...args], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(separator),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    NO_UPDATE_NOTIFIER: "1",
    WRANGLER_HIDE_BANNER: "true",
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => stop(`The project's Node could not be started: ${error.message}.`));
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 130 : 1)));

// A killed npm leaves its script behind (under a shell of its own); then nobody could stop the servers any more.
function lineage() {
  try {
    return `${process.ppid} ${readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ")[1].split(" ")[1]}`;
  } catch {
    return String(process.ppid);
  }
}
if (process.env.npm_lifecycle_event) {
  const begun = lineage();
  setInterval(() => lineage() !== begun && child.kill("SIGTERM"), 1000).unref();
}
