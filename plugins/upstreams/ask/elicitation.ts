import { isPlainObject, type JsonObject, type Question } from '../../../kernel/index.ts';
import { shortened, terminalLines, terminalText } from '../../shared/text/visible-text.ts';

/** Longest text of a question, in characters. */
const maxTextLength = 4000;

/** Longest title or description of a member, in characters. */
const maxLabelLength = 1000;

/** Maximum members of a form. */
const maxMembers = 100;

/** Maximum choices of a member. */
const maxChoices = 500;

/** Keywords of a member that restrict values, as MCP lists them (2025-11-25, Elicitation, Requested Schema). A pattern is not among them. */
const keywords = ['type', 'minLength', 'maxLength', 'format', 'minimum', 'maximum', 'minItems', 'maxItems', 'default', 'enum', 'const'];

/** Keywords whose texts the person reads. */
const labels = ['title', 'description'];

const primitives: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/**
 * Returns the question of a server for its person, or the reason why it is not put to one. The text names the server and is quoted when it has
 * several lines, so that it cannot pass for a question of another one; hidden characters are escaped, and only what MCP allows stays in the schema.
 */
export function elicitation(server: string, { message, requestedSchema, mode }: Readonly<Record<string, unknown>>): Question | string {
  if (mode !== undefined && mode !== 'form') return 'it asks to open an address, which is not supported';
  if (!isPlainObject(requestedSchema)) return 'it asks without a schema';
  const { properties = {}, required = [] } = requestedSchema;
  if (!isPlainObject(properties)) return 'its schema has no properties';
  const members = Object.entries(properties);
  if (members.length > maxMembers) return `it asks for ${members.length} values at once, and at most ${maxMembers} are asked for`;
  const cleaned: [string, JsonObject][] = [];
  for (const [name, member] of members) {
    const kept =
      isPlainObject(member) && terminalText(name) === name && name.length <= maxLabelLength
        ? memberSchema(member as JsonObject)
        : undefined;
    if (kept === undefined) return `it asks for "${shortened(terminalText(name), 100)}", which is no value that a form can have`;
    cleaned.push([name, kept]);
  }
  const names = new Set(cleaned.map(([name]) => name));
  const needed = Array.isArray(required) ? required.filter((name): name is string => names.has(name as string)) : [];
  return {
    message: questionText(server, typeof message === 'string' ? message : ''),
    ...(mode === undefined ? {} : { mode: 'form' as const }),
    schema: { type: 'object', properties: Object.fromEntries(cleaned), ...(needed.length === 0 ? {} : { required: needed }) },
  };
}

function questionText(server: string, text: string): string {
  const shown = shortened(terminalLines(text), maxTextLength);
  const head = `The MCP server "${server}" asks:`;
  return shown.includes('\n') ? `${head}\n${shown.replace(/^/gm, '> ')}` : `${head} ${shown}`;
}

/** Returns the schema of one member with the keywords of MCP only; undefined for one that is no text, number, boolean or choice. */
function memberSchema(member: JsonObject): JsonObject | undefined {
  const { type, items, enumNames } = member;
  const isList = type === 'array';
  if (!isList && !primitives.includes(type)) return undefined;
  const kept = keptKeywords(member);
  const choices = isList ? (isPlainObject(items) ? choiceSchema(items) : undefined) : {};
  if (choices === undefined || (Array.isArray(kept['enum']) && kept['enum'].length > maxChoices)) return undefined;
  const titled = choiceLists(member);
  if (titled === undefined) return undefined;
  const names = Array.isArray(enumNames) ? { enumNames: enumNames.slice(0, maxChoices).map((name) => label(String(name))) } : {};
  return { ...kept, ...names, ...titled, ...(isList ? { items: choices } : {}) };
}

/** Returns the schema of the items of a list of choices. */
function choiceSchema(items: JsonObject): JsonObject | undefined {
  const kept = keptKeywords(items);
  const titled = choiceLists(items);
  if (titled === undefined || (Array.isArray(kept['enum']) && kept['enum'].length > maxChoices)) return undefined;
  return { ...kept, ...titled };
}

/** Returns the choices with titles; undefined for anything else in them. */
function choiceLists(schema: JsonObject): JsonObject | undefined {
  const found: [string, JsonObject[]][] = [];
  for (const key of ['oneOf', 'anyOf']) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length > maxChoices || !list.every((one) => isPlainObject(one) && typeof one['const'] === 'string'))
      return undefined;
    found.push([key, list.map((one) => keptKeywords(one as JsonObject))]);
  }
  return Object.fromEntries(found);
}

function keptKeywords(schema: JsonObject): JsonObject {
  const kept = keywords.flatMap((key) => (Object.hasOwn(schema, key) ? [[key, schema[key]] as const] : []));
  const texts = labels.flatMap((key) => (typeof schema[key] === 'string' ? [[key, label(schema[key] as string)] as const] : []));
  return Object.fromEntries([...kept, ...texts]) as JsonObject;
}

function label(text: string): string {
  return shortened(terminalLines(text), maxLabelLength);
}
