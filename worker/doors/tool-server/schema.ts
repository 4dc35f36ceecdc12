import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod/mini";

/** A schema that also gives its JSON Schema, with which tools describe their input. */
export function inputOf<S extends z.ZodMiniType>(schema: S): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const { version, vendor, validate } = schema["~standard"];
  const notify = (io: "input" | "output") => () => ({ ...z.toJSONSchema(schema, { io }) });
  return { "~standard": { version, vendor, validate, jsonSchema: { input: notify("input"), output: notify("output") } } };
}
