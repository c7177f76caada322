import { isPlainObject, type Parameter, type Tool } from '../../../kernel/index.ts';
import { type CatalogueParameter, type CatalogueProvider, type CatalogueTool, offeredParameters } from './catalogue.ts';
import { paginateOf } from './paginate-of.ts';

/** In a form in which a catalogue and a definition can be compared. */
export type Facts = Readonly<Record<string, unknown>>;

/** Values of parameters that need approval, and those that do not; the catalogue has no words for that. */
const approvals: Readonly<Record<string, unknown>> = {
  postgres_execute_sql: { read_only: false },
  github_create_release: { draft: false },
  mailchimp_add_list_member: { status: 'pending' },
  mailchimp_update_list_member: { status: 'pending' },
};

/** Values that only the words of the description give. */
const writtenEnums: Readonly<Record<string, readonly string[]>> = {
  'slack_search_messages sort': ['score', 'timestamp'],
  'slack_search_messages sort_dir': ['asc', 'desc'],
};

/** Returns the facts of the catalogue about a tool, in the form of `definitionFacts`. */
export function catalogueFacts(tool: CatalogueTool, { auth, name }: CatalogueProvider): Facts {
  return {
    type: tool.type,
    authentication: { type: tool.type === 'http' ? auth.kind : undefined, provider: name },
    method: tool.method?.toLowerCase(),
    url: tool.path?.replace(/\{\w+\}/g, '{}'),
    risk: tool.risk,
    requires_approval: approvals[tool.name] ?? tool.requires_approval,
    required_scopes: [...tool.scopes].sort(),
    parameters: Object.fromEntries(offeredParameters(tool).map((parameter) => [parameter.name, parameterFacts(parameter, tool.name)])),
    strangers: [],
  };
}

function parameterFacts(parameter: CatalogueParameter, toolName: string): Facts {
  const { name, type, required, items, default: byDefault, minimum, maximum } = parameter;
  const values = parameter.enum ?? writtenEnums[`${toolName} ${name}`];
  return {
    type,
    required,
    ...(items === undefined || items === 'any' ? {} : { items }),
    enum: values === undefined ? undefined : [...values].sort(),
    default: byDefault,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

/** The same of a tool as it was loaded. `strangers` are parameters that the catalogue does not know and nothing else explains. */
export function definitionFacts({ definition, execution, parameters, inputSchema, risk }: Tool, tool: CatalogueTool): Facts {
  const offered = offeredParameters(tool);
  const known = new Set([...offered.map(({ name }) => name), paginateOf({ definition })?.limit, ...encodedNames(execution)]);
  const shown = Object.keys((inputSchema['properties'] ?? {}) as object);
  return {
    type: execution.type,
    authentication: {
      type: execution.type === 'http' ? definition.authentication?.type : undefined,
      provider: definition.authentication?.provider,
    },
    method: execution['method'],
    url: typeof definition.execution['url'] === 'string' ? definition.execution['url'].replace(/\{\w+\}/g, '{}') : undefined,
    risk,
    requires_approval: definition.requires_approval ?? false,
    required_scopes: [...(definition.authentication?.required_scopes ?? [])].sort(),
    parameters: Object.fromEntries(
      offered
        .filter(({ name }) => shown.includes(name))
        .map((parameter) => [parameter.name, declaredFacts(parameters[parameter.name] ?? {}, parameter)]),
    ),
    strangers: shown.filter((name) => !known.has(name)),
  };
}

function declaredFacts(
  { type, required, items, enum: values, default: byDefault, minimum, maximum }: Parameter,
  said: CatalogueParameter,
): Facts {
  return {
    type,
    // What has a default need not be given.
    required: required === true || (said.required && said.default !== undefined && byDefault !== undefined),
    ...(said.items === undefined || said.items === 'any' ? {} : { items: items?.type }),
    enum: Array.isArray(values) ? [...values].sort() : undefined,
    // A default of the vendor need not be repeated: what is not sent has the same effect.
    default: byDefault === undefined ? said.default : byDefault,
    ...(said.minimum === undefined ? {} : { minimum }),
    ...(said.maximum === undefined ? {} : { maximum }),
  };
}

function encodedNames(execution: Tool['execution']): readonly string[] {
  return [execution['parameter_encoding'] ?? []]
    .flat()
    .flatMap((entry: unknown) => (isPlainObject(entry) && Array.isArray(entry['source']) ? (entry['source'] as string[]) : []));
}
