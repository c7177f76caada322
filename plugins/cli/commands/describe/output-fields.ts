import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { limitTexts, typeText } from '../../parameters/schema-text.ts';
import { resolveSchema } from '../../parameters/schema-types.ts';

export interface OutputField {
  /** Such as `issues[].title`; empty for the outermost value. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** Number of nested levels that are shown. */
const maxDepth = 3;

/** Lists the fields of an output in the order of its schema, a few levels deep. */
export function outputFields(schema: JsonSchema): readonly OutputField[] {
  const members = membersOf(schema, schema, '', 0);
  return members.length > 0 ? members : [fieldOf(schema, schema, '')];
}

function membersOf(schema: unknown, root: JsonSchema, path: string, depth: number): readonly OutputField[] {
  if (depth >= maxDepth) return [];
  const { properties, items } = resolveSchema(schema, root);
  if (isPlainObject(properties))
    return Object.entries(properties).flatMap(([name, member]) => {
      const own = `${path === '' ? '' : `${path}.`}${terminalText(name)}`;
      return [fieldOf(member, root, own), ...membersOf(member, root, own, depth + 1)];
    });
  return items === undefined ? [] : membersOf(items, root, `${path}[]`, depth);
}

function fieldOf(schema: unknown, root: JsonSchema, path: string): OutputField {
  const { description } = resolveSchema(schema, root);
  const limits = limitTexts(resolveSchema(schema, root)['enum'] === undefined ? {} : schema, root);
  const purpose = typeof description === 'string' ? description : '';
  const text = [purpose.replace(/\s+/g, ' ').trim(), ...(limits.length === 0 ? [] : [`(${limits.join('; ')})`])].join(' ').trim();
  return { path, type: typeText(schema, root), text: terminalText(text) };
}
