import { excerpt } from '../../errors.ts';
import { describeValue, isPlainObject } from '../../json/json.ts';
import { checkSchema } from '../../schema/check-schema.ts';
import { didYouMean } from '../../schema/nearest.ts';
import { type CredentialNeed, isSecretName } from '../schema/credentials.ts';
import { inputSchemaOf } from '../schema/input-schema.ts';
import { isNullNothing, type Parameter } from '../schema/parameter.ts';
import { isCheckedDefs } from '../schema/shared-schemas.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { ParameterKey } from './keys.ts';
import { reportOverlay, writtenParameters } from './parameter-overlay.ts';
import { withReferences } from './parameter-references.ts';
import type { Reporter } from './reporter.ts';

/** Returns the parameters that callers may give, from `parameters`, `input_schema` or both. A default of null is left out when null counts as absent. */
export function declaredParameters(definition: ToolDefinition): Readonly<Record<string, Parameter>> {
  const declared = withReferences(writtenParameters(definition));
  const isEmptyDefault = (parameter: Parameter): boolean =>
    parameter.default === null && parameter.fixed !== true && isNullNothing(parameter);
  if (!Object.values(declared).some(isEmptyDefault)) return declared;
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => {
      const { default: byDefault, ...rest } = parameter;
      return [name, isEmptyDefault(parameter) ? rest : parameter];
    }),
  );
}

/** Reports issues of the schemas of a definition. */
export function reportSchemas(definition: ToolDefinition, report: Reporter): void {
  reportInputSchema(definition, report);
  reportOverlay(definition, report);
  reportParameters(definition, report);
  reportSchema('output_schema', definition, report);
}

function reportInputSchema({ input_schema: schema }: ToolDefinition, report: Reporter): void {
  if (schema === undefined) return;
  reportSchema('input_schema', { input_schema: schema }, report);
  if (schema['type'] !== 'object') report.error('/input_schema', `expected "type: object", received ${describeValue(schema['type'])}`);
  if (declaresPath(schema))
    report.error(
      '/input_schema',
      'declares "path: read", "path: write" or "from: path": the service reads and confines values under "parameters" only. Write the key there, under the name of the property, such as parameters: { file: { path: read } }',
    );
}

/** Reports issues of parameters that the schema cannot express, such as a pattern that is no regular expression. */
function reportParameters({ parameters = {} }: ToolDefinition, report: Reporter): void {
  for (const { pointer = '', message } of checkSchema(inputSchemaOf(parameters, new Set())))
    report.error(`/parameters${pointer.replace(/^\/properties/, '')}`, message);
}

function reportSchema(
  key: 'input_schema' | 'output_schema',
  definition: Pick<ToolDefinition, 'input_schema' | 'output_schema'>,
  report: Reporter,
): void {
  const schema = definition[key];
  for (const { pointer = '', message } of schema === undefined ? [] : checkSchema(schema, isCheckedDefs))
    report.error(`/${key}${pointer}`, message);
}

/** Results of `declaresPath` for `$defs`, which many tools of a provider share. */
const declaring = new WeakMap<object, boolean>();

function declaresPath(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(declaresPath);
  if (!isPlainObject(value)) return false;
  if (!isCheckedDefs(value)) return isPath(value);
  const known = declaring.get(value) ?? isPath(value);
  declaring.set(value, known);
  return known;
}

function isPath(value: Readonly<Record<string, unknown>>): boolean {
  return value['path'] === 'read' || value['path'] === 'write' || value['from'] === 'path' || Object.values(value).some(declaresPath);
}

/** Keys that apply only to a whole parameter. */
const ofWholeParameters = ['from', 'default_from', 'names_secret', 'options'] as const;

/** Reports issues of `default_from` and `fixed`, and keys inside a value that apply only to a whole parameter. */
export function reportDefaults(definition: ToolDefinition, credentials: readonly CredentialNeed[], report: Reporter): void {
  const parameters = writtenParameters(definition);
  for (const [name, parameter] of Object.entries(parameters)) {
    const { default_from: from, default: byDefault } = parameter;
    const place = `/parameters/${name}/default_from`;
    for (const key of ofWholeParameters)
      if (holdsKey(parameter, key, false))
        report.error(`/parameters/${name}`, `has "${key}" inside its value. Expected it beside the type of the parameter itself`);
    if (parameter.fixed === true && byDefault === undefined)
      report.error(`/parameters/${name}/fixed`, 'needs "default", which is its value. Add one');
    if (from === undefined) continue;
    const need = credentials.find((credential) => credential.name === from.parameter);
    if (need?.isSecret !== false)
      report.error(
        place,
        `refers to "${from.parameter}". Expected a name of the provider's parameter_mapping with "secret: false", because callers may see the value`,
      );
    if (byDefault !== undefined) report.error(place, 'cannot be combined with "default". Keep one of the two');
    if (from.unless !== undefined && !Object.hasOwn(parameters, from.unless))
      report.error(`${place}/unless`, `names "${from.unless}", which is no parameter.${didYouMean(from.unless, Object.keys(parameters))}`);
  }
}

/** Reports keys of parameters that no plugin enforces. */
export function reportParameterKeys(definition: ToolDefinition, isEnforced: (key: ParameterKey) => boolean, report: Reporter): void {
  for (const [name, parameter] of Object.entries(definition.parameters ?? {})) {
    for (const key of ofWholeParameters)
      if (parameter[key] !== undefined && !isEnforced(key))
        report.error(
          `/parameters/${name}/${key}`,
          `is declared, but no plugin of this configuration ${key === 'options' ? 'looks at it' : 'supplies the value'}. Add the plugin, or remove the key`,
        );
    if (holdsKey(parameter, 'path') && !isEnforced('path')) {
      report.error(
        `/parameters/${name}/path`,
        'is declared, but no plugin of this configuration confines paths. Add the plugin, or remove the key',
      );
    }
  }
}

/** True when the parameter has this key, at any depth. `isOwn: false` ignores the parameter itself. */
export function holdsKey(parameter: Parameter, key: ParameterKey, isOwn = true): boolean {
  const { items, properties = {}, additionalProperties } = parameter;
  const inner = [items, ...Object.values(properties), typeof additionalProperties === 'object' ? additionalProperties : undefined];
  return (isOwn && parameter[key] !== undefined) || inner.some((member) => member !== undefined && holdsKey(member, key));
}

/** Maximum number of unknown placeholders reported for one definition: each is compared with the names of all parameters. */
const maxPlaceholders = 20;

/** Reports `{name?}` for a parameter or a credential: it would be sent literally. Other names are not reported. */
export function reportQuestioned(questioned: readonly string[], known: ReadonlySet<string>, report: Reporter): void {
  for (const name of questioned.filter((each) => known.has(each) || isSecretName(each)).slice(0, maxPlaceholders))
    report.error(
      '/execution',
      `writes {${excerpt(name)}?}, but a placeholder has no question mark. Write {${excerpt(name)}}, and leave "required" out of the parameter: where it is not given, the entry that holds it (of query_params, headers or body; of args a list in the list) is left out. A URL needs all of its placeholders`,
    );
}

/** Reports placeholders without a value, and names that look like credentials. */
export function reportPlaceholders(
  placeholders: ReadonlySet<string>,
  parameters: Readonly<Record<string, Parameter>>,
  supplied: ReadonlySet<string>,
  derived: ReadonlySet<string>,
  report: Reporter,
): void {
  const known = Object.keys(parameters);
  const undefinedNames = [...placeholders].filter((name) => !Object.hasOwn(parameters, name) && !supplied.has(name) && !derived.has(name));
  for (const name of undefinedNames.slice(0, maxPlaceholders)) {
    report.error(
      '/execution',
      `uses the placeholder {${excerpt(name)}}, which no parameter defines.${didYouMean(name, known)} Declare it under "parameters", or write {{${excerpt(name)}}} for the literal text`,
    );
  }
}

/** Reports declared parameters that no caller can give, because the service supplies their values. */
export function reportSupplied(supplied: readonly string[], parameters: Readonly<Record<string, Parameter>>, report: Reporter): void {
  const isUnsaid = (name: string): boolean => Object.hasOwn(parameters, name) && parameters[name]?.auth === undefined;
  for (const name of supplied.filter(isUnsaid).slice(0, maxPlaceholders)) {
    const reason = isSecretName(name) ? 'its name' : "the provider's parameter_mapping, which names it";
    report.warning(
      `/parameters/${name}`,
      `is taken for a credential because of ${reason}: callers cannot give it. Say "auth: false" when it is an ordinary parameter, "auth: true" when it is a credential`,
    );
  }
}
