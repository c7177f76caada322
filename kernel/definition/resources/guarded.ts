import Type, { type TSchema } from 'typebox';
import { ContentPartSchema, halfBase64, ResourceContentSchema } from '../../client/content.ts';
import { messageOf, ToolkitError } from '../../errors.ts';
import { checkValue } from '../../schema/check-value.ts';
import type { Completer, Resource } from './resource.ts';

const Meta = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

export const ReadSchema = Type.Union([
  ResourceContentSchema,
  Type.Array(ResourceContentSchema),
  Type.Object({ contents: Type.Array(ResourceContentSchema), _meta: Meta }, { additionalProperties: false }),
]);

export const OptionalReadSchema = Type.Union([ReadSchema, Type.Undefined()]);

const PromptMessagesSchema = Type.Array(
  Type.Object({ role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]), content: ContentPartSchema }),
);

export const PromptSchema = Type.Union([
  PromptMessagesSchema,
  Type.Object({ description: Type.Optional(Type.String()), messages: PromptMessagesSchema, _meta: Meta }, { additionalProperties: false }),
]);

/** Wraps a plugin's function that runs outside the hooks. Its errors become PLUGIN_FAILED with the name of the plugin. */
export function guarded<Arguments extends readonly unknown[], Result>(
  plugin: string,
  label: string,
  run: (...args: Arguments) => Result | Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      throw failure(plugin, label, error);
    }
  };
}

export function guardedCompleter(plugin: string, completer: Completer): Completer {
  return guarded(plugin, 'completions', completer);
}

export function guardedWatch(plugin: string, label: string, watch: NonNullable<Resource['watch']>): NonNullable<Resource['watch']> {
  return (changed) => {
    try {
      return watch(changed);
    } catch (error) {
      throw failure(plugin, label, error);
    }
  };
}

/** Returns the plugin's value. Throws its issues. */
export function checked<T>(schema: TSchema, value: T): T {
  if (value === undefined && schema === OptionalReadSchema) return value;
  const issues = [...checkValue(schema, value), ...halfBase64(value)];
  if (issues.length === 0) return value;
  throw new Error(issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
}

function failure(plugin: string, label: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  return new ToolkitError('PLUGIN_FAILED', `Plugin "${plugin}" failed to give ${label}: ${messageOf(error)}`, { plugin }, { cause: error });
}
