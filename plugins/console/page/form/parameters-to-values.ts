import { type Field, type FieldValue, unset } from './field.ts';
import { parametersToText } from './parameters-text.ts';
import { isObject } from './schema-node.ts';
import { read } from './values-to-parameters.ts';

/** Returns the content of an untouched form: required parts are open, with their defaults. */
export function initialValue(field: Field): FieldValue {
  if (!field.isRequired) return unset;
  if (field.default !== undefined) return parametersToValues(field, field.default.value);
  switch (field.kind) {
    case 'object':
      return { kind: 'object', members: new Map(field.members.map((member) => [member.name, initialValue(member)])), others: '' };
    case 'list':
      return { kind: 'list', items: Array.from({ length: Math.min(field.minItems ?? 0, 10) }, () => initialValue(field.item)) };
    case 'choice':
      return choiceValue(field, 0);
    case 'option':
      return field.options.length === 1 ? { kind: 'option', index: 0 } : unset;
    default:
      return unset;
  }
}

/** Returns the content of a field that a person opens: as if it were required. */
export function openedValue(field: Field): FieldValue {
  const value = initialValue({ ...field, isRequired: true });
  if (value.kind !== 'unset') return value;
  return field.kind === 'json' ? { kind: 'json', text: '' } : value;
}

/** Returns the content of a choice whose branch was chosen. */
export function choiceValue(field: Extract<Field, { kind: 'choice' }>, index: number): FieldValue {
  const branch = field.choices[index]?.field;
  return { kind: 'choice', index, value: branch === undefined ? unset : initialValue(branch) };
}

/** Returns the content of a form with these parameters. A value that fits no input is shown as JSON. */
export function parametersToValues(field: Field, value: unknown): FieldValue {
  if (value === undefined) return unset;
  if (value === null && field.isNullable) return { kind: 'null' };
  const asJson: FieldValue = { kind: 'json', text: JSON.stringify(value, null, 2) };
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? { kind: 'text', text: value } : asJson;
    case 'number':
      return typeof value === 'number' || typeof value === 'string' ? { kind: 'text', text: String(value) } : asJson;
    case 'option': {
      const text = JSON.stringify(value);
      const index = field.options.findIndex((option) => JSON.stringify(option.value) === text);
      return index === -1 ? asJson : { kind: 'option', index };
    }
    case 'list':
      return Array.isArray(value) ? { kind: 'list', items: value.map((item) => parametersToValues(field.item, item)) } : asJson;
    case 'object':
      return isObject(value) ? objectValue(field, value) : asJson;
    case 'choice':
      return bestChoice(field, value) ?? asJson;
    case 'json':
      return typeof value === 'string' && field.types.length > 0 && !field.types.includes('string')
        ? { kind: 'json', text: value }
        : asJson;
  }
}

function objectValue(field: Extract<Field, { kind: 'object' }>, value: Readonly<Record<string, unknown>>): FieldValue {
  const member = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const known = new Set(field.members.map(({ name }) => name));
  const others = Object.entries(value).filter(([name]) => !known.has(name));
  return {
    kind: 'object',
    members: new Map(field.members.map((each) => [each.name, parametersToValues(each, member(each.name))])),
    others: others.length === 0 ? '' : parametersToText(Object.fromEntries(others)),
  };
}

/** Returns the branch with the fewest issues; undefined where each of them would show JSON. */
function bestChoice(field: Extract<Field, { kind: 'choice' }>, value: unknown): FieldValue | undefined {
  let best: { readonly content: FieldValue; readonly issues: number } | undefined;
  for (const [index, choice] of field.choices.entries()) {
    const content = parametersToValues(choice.field, value);
    if (content.kind === 'json' && choice.field.kind !== 'json') continue;
    const issues = new Map<string, string>();
    read(choice.field, content, '', issues);
    const others =
      content.kind === 'object' && content.others !== '' && choice.field.kind === 'object' && !choice.field.takesOthers ? 1 : 0;
    const count = issues.size + others;
    if (best === undefined || count < best.issues) best = { content: { kind: 'choice', index, value: content }, issues: count };
    if (count === 0) break;
  }
  return best?.content;
}
