import Type, { type Static } from 'typebox';
import type { Tool } from '../../../kernel/index.ts';

/**
 * The definition key `activates`: the definitions that a call of this tool makes callable. `reload`: those in the tool folders. An object:
 * the definition that the tool writes; its members name the parameters that hold it.
 */
export const ActivatesSchema = Type.Union([
  Type.Literal('reload'),
  Type.Object(
    {
      /** Name of the parameter with the text of the definition. */
      definition: Type.String({ minLength: 1 }),
      /** Name of the parameter with the folder of the file. */
      directory: Type.String({ minLength: 1 }),
      /** Name of the parameter with further files in the same folder: a list of `{name, content}`. */
      files: Type.Optional(Type.String({ minLength: 1 })),
    },
    { additionalProperties: false },
  ),
]);

export type Activates = Static<typeof ActivatesSchema>;

/** True when the tool needs approval because it makes other definitions callable. */
export function isActivating({ definition }: Pick<Tool, 'definition'>): boolean {
  return Object.hasOwn(definition, 'activates');
}
