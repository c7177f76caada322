import Type, { type Static } from 'typebox';
import type { Tool } from '../../../kernel/index.ts';

/**
 * The definition key `activates`: what a tool makes callable. `reload`: what lies in the tool folders. An object: a definition that it
 * writes, by the names of the parameters that hold it.
 */
export const ActivatesSchema = Type.Union([
  Type.Literal('reload'),
  Type.Object(
    {
      /** The parameter with the text of the definition. */
      definition: Type.String({ minLength: 1 }),
      /** The parameter with the folder of the file. */
      directory: Type.String({ minLength: 1 }),
      /** The parameter with the files beside it: a list of `{name, content}`. */
      files: Type.Optional(Type.String({ minLength: 1 })),
    },
    { additionalProperties: false },
  ),
]);

export type Activates = Static<typeof ActivatesSchema>;

/** True for a tool that asks a person because of what it makes callable. */
export function isActivating({ definition }: Pick<Tool, 'definition'>): boolean {
  return Object.hasOwn(definition, 'activates');
}
