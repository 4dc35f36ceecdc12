import * as z from "zod/mini";
import { Chat, ChatDetails } from "#shared/entities/chat.ts";
import { Message, MessageError } from "#shared/entities/message.ts";
import { AllowedModel, Model } from "#shared/entities/model.ts";
import { Features, User } from "#shared/entities/user.ts";
import { ErrorBody } from "#shared/errors.ts";

/** JSON Schema 2020-12 as OpenAPI 3.1 takes it, as far as the contracts use it. */
export type JsonSchema = {
  type?: string | string[];
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
};

/** What a body or a parameter is, or what an answer is: defaults are optional in one and present in the other. */
export type Direction = "input" | "output";

const entities = z.registry<{ id: string }>();
const NAMED = { Model, AllowedModel, User, Features, Chat, ChatDetails, Message, MessageError, ErrorBody };
for (const [id, schema] of Object.entries(NAMED)) entities.add(schema, { id });

/** A schema's JSON Schema; the named entities in it are references, and come beside it in `named`. */
export function toJsonSchema(schema: z.ZodMiniType, io: Direction): { schema: JsonSchema; named: Record<string, JsonSchema> } {
  const text = JSON.stringify(z.toJSONSchema(schema, { metadata: entities, io, unrepresentable: "any" }));
  const made: Made = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  const { $schema: _draft, $defs = {}, id: own, ...rest } = made;
  const named: Record<string, JsonSchema> = {};
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) named[name] = definition;
  if (own === undefined) return { schema: rest, named };
  return { schema: { $ref: `#/components/schemas/${own}` }, named: { ...named, [own]: rest } };
}

type Named = JsonSchema & { id?: string };
type Made = Named & { $schema?: string; $defs?: Record<string, Named> };
