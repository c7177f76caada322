import { isPlainObject, type Terminal, type Tool } from '../../../kernel/index.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { limitTexts, typeText } from '../parameters/schema-text.ts';
import { resolveSchema } from '../parameters/schema-types.ts';

/** A parameter as it is shown to users. */
export interface ShownParameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Description, then limits and default. */
  readonly text: string;
}

/** Lists the parameters of a tool in the order of its definition, the required ones first. */
export function shownParameters({ inputSchema }: Pick<Tool, 'inputSchema'>): readonly ShownParameter[] {
  const { properties, required } = inputSchema;
  const names = Array.isArray(required) ? required : [];
  const shown = Object.entries(isPlainObject(properties) ? properties : {}).map(([name, schema]) => {
    const { description, default: byDefault } = resolveSchema(schema, inputSchema);
    const limits = limitTexts(schema, inputSchema);
    const facts = [...limits, ...(byDefault === undefined ? [] : [`default ${JSON.stringify(byDefault)}`])];
    const isRequired = names.includes(name) && byDefault === undefined;
    const purpose = typeof description === 'string' ? description.trim() : '';
    const text = terminalText([purpose, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])].join(' ').replace(/\s+/g, ' ').trim());
    return { name: terminalText(name), type: typeText(schema, inputSchema), isRequired, text };
  });
  return [...shown.filter(({ isRequired }) => isRequired), ...shown.filter(({ isRequired }) => !isRequired)];
}

/** Returns a table cell: `required` or empty. */
export function requiredCell({ isRequired }: ShownParameter, terminal: Terminal): string {
  return isRequired ? paint(terminal, 'warning', 'required') : '';
}
