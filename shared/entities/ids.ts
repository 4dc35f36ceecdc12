import * as z from "zod/mini";
import { MODEL_ID_LENGTH, TOOL_ID_LENGTH } from "../limits.ts";
import { UUID } from "../uuid.ts";

/** A UUID in lower case, as `crypto.randomUUID()` makes them. */
export const Id = z.string().check(z.regex(UUID, "Not a valid id."));

/** An aggregator's model id, e.g. `anthropic/claude-sonnet-4.6`, or a pseudo-model's: `auto`. */
export const ModelId = z.string().check(z.minLength(1, "Pick a model."), z.maxLength(MODEL_ID_LENGTH));

export const ToolId = z.string().check(z.maxLength(TOOL_ID_LENGTH), z.regex(/^[A-Za-z0-9_.:/-]+$/, "Not the id of a tool."));

/** ISO 8601 in UTC with milliseconds, e.g. `2026-11-20T09:41:00.000Z`. */
export const Timestamp = z.iso.datetime();
