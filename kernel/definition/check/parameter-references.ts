import { didYouMean } from '../../schema/nearest.ts';
import type { Parameter } from '../schema/parameter.ts';
import { placeholdersIn } from '../schema/template.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { writtenParameters } from './parameter-overlay.ts';
import type { Reporter } from './reporter.ts';

/** A parameter whose value may be given by a path. */
export interface ParameterReference {
  /** The name of the parameter. */
  readonly name: string;
  /** The name of the added parameter for the path. */
  readonly by: string;
}

/** Description of each added parameter. Short, because many tools have some, and models read the list. */
const description = 'File or output:// instead';

type Parameters = Readonly<Record<string, Parameter>>;

/** Types whose values may be read from a file. */
const readableTypes: ReadonlySet<unknown> = new Set(['string', 'object', 'array']);

/** Returns the name of the added parameter. */
function referenceTo(name: string): string {
  return `${name}_path`;
}

/** True for a parameter whose value is a text, not JSON. */
function holdsText({ type }: Parameter): boolean {
  return type === 'string';
}

function mayBeList({ type }: Parameter): boolean {
  return type === undefined || [type].flat().includes('array');
}

/**
 * Adds a path parameter after each parameter with `from: path`. Neither is required in the schema, because one is enough; `check-parameters.ts`
 * checks with each call that a required one is given.
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

/** Returns the references among parameters of `withReferences`. */
export function referencesAmong(parameters: Parameters): readonly ParameterReference[] {
  return Object.entries(parameters).flatMap(([by, { reads }]) => (reads === undefined ? [] : [{ name: reads, by }]));
}

/** Keys that name another source of the value, or check it before it is read. */
const clashing = ['path', 'fixed', 'default_from', 'names_secret'] as const;

/** Reports conflicts of `from: path` with other keys. `parameters`: the declared ones, with their references. */
export function reportReferences(
  definition: ToolDefinition,
  execution: ToolDefinition['execution'],
  canStream: boolean,
  report: Reporter,
): void {
  const { requires_approval: gate } = definition;
  const written = writtenParameters(definition);
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
    if (clash !== undefined) refuse(`cannot be combined with "${clash}", which is another source of the value. Keep one of the two`);
    if (parameter.auth === true) refuse('cannot be combined with "auth: true": callers cannot give a credential. Keep one of the two');
    if (parameter.options === false)
      refuse('cannot be combined with "options: false", which checks the value before it is read. Keep one of the two');
    if (typeof gate === 'object' && Object.hasOwn(gate, name))
      refuse(
        'cannot be combined with "requires_approval" for the same parameter, which is decided before the value is read. Keep one of the two',
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
