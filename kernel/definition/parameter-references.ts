import { didYouMean } from '../schema/nearest.ts';
import type { Parameter } from './parameter.ts';
import type { Reporter } from './reporter.ts';
import { placeholdersIn } from './template.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** One parameter whose value may come by a path. */
export interface ParameterReference {
  /** The parameter that holds the value. */
  readonly name: string;
  /** The parameter that holds the path in its place. */
  readonly by: string;
}

/** The words for each reference: many tools have some, and a list of tools is to stay short. */
const description = 'File or output:// instead';

type Parameters = Readonly<Record<string, Parameter>>;

/** Types of values that have a text of their own in JSON, beside those that are short enough to be typed. */
const readableTypes: ReadonlySet<unknown> = new Set(['string', 'object', 'array']);

/** Returns the name of the parameter that takes a path in place of the value of another. */
function referenceTo(name: string): string {
  return `${name}_path`;
}

/** True for a parameter that holds a text, and not a value of JSON. */
function holdsText({ type }: Parameter): boolean {
  return type === 'string';
}

function mayBeList({ type }: Parameter): boolean {
  return type === undefined || [type].flat().includes('array');
}

/**
 * Returns the parameters with one more behind each that says `from: path`: it takes the path. Neither of the two is required, because one is
 * enough; that one is there where the definition says `required` is checked with each call (`check-parameters.ts`).
 */
export function withReferences(parameters: Parameters): Parameters {
  if (!Object.values(parameters).some(({ from }) => from !== undefined)) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]): [string, Parameter][] => {
      const by = referenceTo(name);
      if (parameter.from === undefined || Object.hasOwn(parameters, by)) return [[name, parameter]];
      const { required: _checkedWithEachCall, ...rest } = parameter;
      return [
        [name, rest],
        [by, { type: 'string', path: 'read', reads: name, description }],
      ];
    }),
  );
}

/** Returns the references among parameters, as `withReferences` gives them. */
export function referencesAmong(parameters: Parameters): readonly ParameterReference[] {
  return Object.entries(parameters).flatMap(([by, { reads }]) => (reads === undefined ? [] : [{ name: reads, by }]));
}

/** Keys that say by themselves where a value comes from, or that look at it before it is read. */
const clashing = ['path', 'fixed', 'default_from', 'names_secret'] as const;

/** Reports what speaks against `from: path` where it is said. `parameters`: as they are declared, with their references. */
export function reportReferences(
  { parameters: written = {}, requires_approval: gate }: ToolDefinition,
  execution: ToolDefinition['execution'],
  canStream: boolean,
  report: Reporter,
): void {
  const placeholders = new Set(placeholdersIn(execution));
  for (const [name, parameter] of Object.entries(written)) {
    if (parameter.streamed !== undefined && (parameter.from === undefined || !holdsText(parameter)))
      report.error(`/parameters/${name}/streamed`, 'is for a text that says "from: path". Say so, with "type: string", or leave it out');
    else if (parameter.streamed !== undefined && !canStream)
      report.error(
        `/parameters/${name}/streamed`,
        'is for functions that run in this process, which this one does not. Leave it out: it gets the text',
      );
    if (parameter.tables !== undefined && (parameter.from === undefined || !mayBeList(parameter)))
      report.error(`/parameters/${name}/tables`, 'is for a value that says "from: path" and may be a list. Say so, or leave it out');
    if (parameter.from === undefined) continue;
    const refuse = (message: string): void => report.error(`/parameters/${name}/from`, message);
    const types = parameter.type === undefined ? [] : [parameter.type].flat();
    if (types.length > 0 && !types.some((type) => readableTypes.has(type)))
      refuse(`is for a text or a value that can be long (string, object, array, or any JSON value), and the type is ${types.join(' or ')}`);
    const clash = clashing.find((key) => parameter[key] !== undefined);
    if (clash !== undefined) refuse(`stands beside "${clash}", which says already where the value comes from. Keep one of the two`);
    if (parameter.auth === true) refuse('stands beside "auth: true": no caller gives a credential. Keep one of the two');
    if (parameter.options === false)
      refuse('stands beside "options: false", which looks at the value before it is read. Keep one of the two');
    if (typeof gate === 'object' && Object.hasOwn(gate, name))
      refuse(
        'is said of a parameter by which "requires_approval" decides, and that is decided before anything is read. Leave one of the two out',
      );
    const by = referenceTo(name);
    if (Object.hasOwn(written, by))
      report.error(`/parameters/${by}`, `has the name of the parameter that "from: path" of "${name}" adds. Rename it, or remove it`);
    else if (placeholders.has(by))
      report.error(
        '/execution',
        `uses the placeholder {${by}}, which is never filled in: what is read takes the place of {${name}}.${didYouMean(by, [name])}`,
      );
  }
}
