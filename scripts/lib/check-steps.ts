import { type Step, vitestCounts } from "./steps.ts";

/** The last one has the Worker's own code too. */
const TYPE_PROJECTS = ["shared", "web", "web/service-worker", "test", "test/worker"];

/** Everything that needs no browser: format, lint, types, unit and Worker tests; of these those alone that reach what changed since a commit, if one is named. */
export const checkSteps = (since?: string): Step[] => [
  { name: "format", program: "oxfmt", args: ["--check", "."] },
  { name: "lint", program: "oxlint", args: ["--deny-warnings"] },
  ...TYPE_PROJECTS.map((project) => ({ name: `types of ${project}`, program: "tsc", args: ["-p", project] })),
  { name: "what the oldest browsers have", program: "node", args: ["scripts/browser-floor.ts"] },
  {
    name: "unit and Worker tests",
    program: "vitest",
    args: since === undefined ? ["run"] : ["run", "--changed", since, "--passWithNoTests"],
    count: vitestCounts,
  },
];
