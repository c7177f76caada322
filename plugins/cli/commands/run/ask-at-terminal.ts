import {
  type Answer,
  type CallClient,
  checkValue,
  isPlainObject,
  type JsonSchema,
  sentence,
  type Terminal,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { discardTypedInput } from '../../../shared/terminal/discard-typed-input.ts';
import { type Prompts, prompts } from '../../../shared/terminal/prompts.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { parseTexts } from '../../parameters/parse-text.ts';
import { typesOf } from '../../parameters/schema-types.ts';

/**
 * Asks the user at the terminal, with one prompt for each member of the question's schema. `onQuestion` runs first. Ctrl-C and Escape stop
 * the call.
 */
export function askAtTerminal(terminal: Terminal, onQuestion: () => void, stop: AbortController): NonNullable<CallClient['elicit']> {
  return async ({ message, schema }, signal) => {
    onQuestion();
    const asking = await prompts(terminal, signal);
    await discardTypedInput(terminal.input);
    const lines = message.split('\n').filter((line) => line !== '```');
    terminal.error.write(lines.map((line) => `${terminalText(line)}\n`).join(''));
    try {
      return { action: 'accept', content: await askMembers(asking, schema) };
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'ABORTED') throw error;
      if (signal?.aborted !== true) stop.abort(new ToolkitError('ABORTED', 'The question was not answered, so the call was stopped.'));
      return { action: 'cancel' } satisfies Answer;
    }
  };
}

async function askMembers(asking: Prompts, schema: JsonSchema): Promise<Readonly<Record<string, unknown>>> {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const content: [string, unknown][] = [];
  for (const [name, member] of Object.entries(isPlainObject(schema['properties']) ? schema['properties'] : {})) {
    const value = await askMember(asking, name, isPlainObject(member) ? member : {}, required.includes(name));
    if (value !== undefined) content.push([name, value]);
  }
  return Object.fromEntries(content);
}

/** Asks for one member. Returns undefined for an optional member without a value. */
async function askMember(asking: Prompts, name: string, member: JsonSchema, isRequired: boolean): Promise<unknown> {
  const message = messageOf(name, member, isRequired);
  const { default: byDefault, items } = member;
  if (typesOf(member, member).has('boolean') && choicesOf(member).length === 0) return asking.confirm(message, byDefault === true);
  const choices = choicesOf(member);
  if (choices.length > 0) {
    const none = { value: '', label: '(none)' };
    const chosen = await asking.select(
      message,
      isRequired ? choices : [none, ...choices],
      typeof byDefault === 'string' ? byDefault : undefined,
    );
    return chosen === '' && !isRequired ? undefined : chosen;
  }
  const several = isPlainObject(items) ? choicesOf(items) : [];
  if (several.length > 0) return asking.selectMany(message, several, Array.isArray(byDefault) ? byDefault.map(String) : []);
  return askText(asking, message, member, isRequired);
}

async function askText(asking: Prompts, message: string, member: JsonSchema, isRequired: boolean): Promise<unknown> {
  const read = (text: string) => parseTexts([text], member, member);
  const check = (text: string): string | undefined => {
    if (text === '' && !isRequired) return undefined;
    const reading = read(text);
    if ('expected' in reading) return `Expected ${reading.expected}.`;
    const [issue] = checkValue(member, reading.value);
    return issue === undefined
      ? text === ''
        ? 'A value is needed.'
        : undefined
      : sentence(issue.message.charAt(0).toUpperCase() + issue.message.slice(1));
  };
  const { default: byDefault } = member;
  const text = await asking.text(message, { check, ...(byDefault === undefined ? {} : { byDefault: String(byDefault) }) });
  if (text === undefined || text === '') return undefined;
  const reading = read(text);
  return 'value' in reading ? reading.value : text;
}

function messageOf(name: string, { title, description }: JsonSchema, isRequired: boolean): string {
  const words = [typeof title === 'string' ? title : name, ...(typeof description === 'string' ? [description] : [])];
  return `${terminalText(words.join(': '))}${isRequired ? '' : ' (optional)'}`;
}

/**
 * Returns the choices of a schema in the forms of MCP (Elicitation, Requested Schema): `enum` with `enumNames`, or `oneOf` and `anyOf` of
 * `const` and `title`.
 */
function choicesOf({ enum: members, enumNames, oneOf, anyOf }: JsonSchema): readonly { readonly value: string; readonly label: string }[] {
  const titles = Array.isArray(enumNames) ? enumNames : [];
  const plain = Array.isArray(members)
    ? members.map((value, index) => ({ value: String(value), label: String(titles[index] ?? value) }))
    : [];
  const branches = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const titled = branches.flatMap((branch) =>
    isPlainObject(branch) && typeof branch['const'] === 'string'
      ? [{ value: branch['const'], label: String(branch['title'] ?? branch['const']) }]
      : [],
  );
  return [...plain, ...titled].map(({ value, label }) => ({ value, label: terminalText(label) }));
}
