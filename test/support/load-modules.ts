/** The tests' runtime fetches modules over a connection, which belongs to the request that asks: all are there before the first one. */
import "#worker/index.ts";
import { loadEverything } from "#worker/platform/load-once.ts";

await loadEverything();
