import { excerpt } from '../errors.ts';
import type { JsonSchema } from './json.ts';
import { asked, nearest } from './nearest.ts';

interface UnknownKeyIssue {
  readonly message: string;
  readonly resembles: readonly string[];
}

interface MeantProperty {
  readonly mistaken_names?: readonly string[];
  readonly description?: string;
}

/** Says of a key that an object must not have which of its keys was meant: one that names it in `mistaken_names`, or the nearest ones. */
export function unknownKeyIssue(schema: JsonSchema, name: string): UnknownKeyIssue {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, MeantProperty>>;
  const meant = Object.keys(properties).find((key) => properties[key]?.mistaken_names?.includes(name) === true);
  if (meant !== undefined) {
    const { description } = properties[meant] ?? {};
    const help = description === undefined ? '' : `. Its description: "${excerpt(description, 100)}"`;
    return { message: `is not known here: give "${meant}" in its place${help}`, resembles: [meant] };
  }
  const known = Object.keys(properties);
  const resembles = nearest(name, known);
  const expected = known.length === 0 ? 'Nothing may be given here: remove it.' : `Expected ${known.join(', ')}.`;
  return { message: `is not known here.${asked(resembles) || ` ${expected}`}`, resembles };
}
