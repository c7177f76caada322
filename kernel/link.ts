import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { annotationsOf } from './annotations.ts';
import { type CredentialNeed, credentialsOf, isSecretName } from './credentials.ts';
import { checkWritten, type Origin } from './definition.ts';
import type { Issue } from './errors.ts';
import { reportFailureOutput } from './failure-output.ts';
import { inputSchemaOf, withoutParameters } from './input-schema.ts';
import type { JsonSchema } from './json.ts';
import { didYouMean } from './nearest.ts';
import { type Problem, problemOf } from './problem.ts';
import { reporter } from './reporter.ts';
import { declaredParameters, reportDefaults, reportGate, reportPlaceholders, reportSchemas, reportUnkept } from './reports.ts';
import { placeholdersIn } from './template.ts';
import type { Parameter, ProviderDefinition, Risk, ToolAnnotations, ToolDefinition } from './tool.ts';
import { withProvider } from './with-provider.ts';

/** What an executor plugin says about its `execution.type`. */
export interface ExecutionType {
  /** Schema of the keys of `execution` beside `type` and `timeout_ms`. */
  readonly schema: TSchema;
  /** Definition keys that this executor puts into effect, such as `retry`. */
  readonly enforces?: readonly string[];
  /** Risk of a tool that declares none. Default `high`. */
  readonly risk?: (execution: ToolDefinition['execution']) => Risk;
  /** What the execution says about its effects. `readOnlyHint: false` and `destructiveHint: true` win over a low risk. */
  readonly annotations?: (execution: ToolDefinition['execution']) => ToolAnnotations;
  /** The execution with what the provider adds to it (base URL, headers). */
  readonly complete?: (execution: ToolDefinition['execution'], provider: ProviderDefinition) => ToolDefinition['execution'];
  /** What the schema cannot say, such as a file that is missing. */
  readonly check?: (execution: ToolDefinition['execution'], origin: Origin, names: KnownNames) => readonly Issue[];
  /** The same for keys beside `execution`, such as a `retry` that could repeat an effect; `pointer` is a place in the definition. */
  readonly checkDefinition?: (definition: ToolDefinition, execution: ToolDefinition['execution'], around: Surroundings) => readonly Issue[];
  /** Placeholder names that the executor computes itself from parameters. */
  readonly derives?: (execution: ToolDefinition['execution']) => readonly string[];
}

/** What a definition means together with its provider. */
export interface Surroundings {
  /** The declared ones, also those of an `input_schema`. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly credentials: readonly CredentialNeed[];
  readonly provider?: ProviderDefinition;
}

/** Names that an execution may refer to. */
export interface KnownNames {
  readonly parameters: readonly string[];
  readonly encodings: readonly string[];
  /** Placeholders that stand for secrets, by their name or because they say so; not account ids and hosts that the service supplies. */
  readonly credentials: readonly string[];
}

export interface Provider {
  readonly name: string;
  readonly definition: ProviderDefinition;
  readonly origin: Origin;
}

/** A tool as the registry holds it: checked, joined with its provider, ready to run. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly definition: ToolDefinition;
  readonly execution: ToolDefinition['execution'];
  readonly provider?: Provider;
  readonly risk: Risk;
  /** Derived from risk, execution and approval; what the definition says comes first. */
  readonly annotations: ToolAnnotations;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Schema of the caller's parameters, without credentials. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly credentials: readonly CredentialNeed[];
  readonly origin: Origin;
  /** sha256 of the definition, hex: an approval is bound to it. */
  readonly hash: string;
}

/** A tool, or the name of a definition that was refused. */
export type MaybeTool = Pick<Tool, 'name'> & Partial<Tool>;

export interface LinkOptions {
  readonly executionTypes: ReadonlyMap<string, ExecutionType>;
  /** Names of `parameter_encoding` that plugins defined. */
  readonly encodings: readonly string[];
  /** Definition keys that some plugin puts into effect. */
  readonly enforced: ReadonlySet<string>;
}

/** Joins a checked definition with its provider and its execution type. Without `tool`, the problems say why. */
export function linkTool(
  written: ToolDefinition,
  origin: Origin,
  provider: Provider | undefined,
  options: LinkOptions,
): { tool?: Tool; problems: Problem[] } {
  const report = reporter(written, origin);
  const definition = withProvider(written, origin, provider, report);
  if (report.problems.length > 0) return { problems: report.problems };
  const type = options.executionTypes.get(definition.execution.type);
  if (type === undefined) {
    const known = [...options.executionTypes.keys()];
    report.error(
      '/execution/type',
      `no plugin executes type "${definition.execution.type}".${didYouMean(definition.execution.type, known)} Expected one of ${known.join(', ') || '(no executor is configured)'}`,
      'EXECUTOR_NOT_FOUND',
    );
    return { problems: report.problems };
  }
  const checked = checkExecution(definition, type, origin, provider, options.encodings);
  report.problems.push(...checked.problems);
  if (checked.execution === undefined) return { problems: report.problems };
  const around = {
    parameters: declaredParameters(definition),
    credentials: checked.credentials,
    ...(provider === undefined ? {} : { provider: provider.definition }),
  };
  for (const { pointer = '', message } of type.checkDefinition?.(definition, checked.execution, around) ?? [])
    report.error(pointer, message);
  const isKept = (key: string): boolean => options.enforced.has(key) || type.enforces?.includes(key) === true;
  reportUnkept(definition, provider, isKept, report);
  reportGate(definition, report);
  reportDefaults(definition, checked.credentials, report);
  reportSchemas(definition, report);
  reportFailureOutput(definition, report);
  const parameters = declaredParameters(definition);
  const { execution, credentials } = checked;
  const placeholders = placeholdersIn(execution);
  const supplied = new Set(credentials.map(({ name }) => name));
  reportPlaceholders(placeholders, parameters, supplied, new Set(type.derives?.(execution) ?? []), report);
  if (report.problems.some(({ severity }) => severity === 'error')) return { problems: report.problems };

  const hidden = new Set([...supplied].filter((name) => placeholders.includes(name) || parameters[name]?.auth === true));
  const risk = definition.risk ?? type.risk?.(execution) ?? 'high';
  const tool: Tool = {
    name: definition.name,
    description: definition.description,
    definition,
    execution,
    ...(provider === undefined ? {} : { provider }),
    risk,
    annotations: annotationsOf(definition, risk, type.annotations?.(execution) ?? {}),
    parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !hidden.has(name))),
    inputSchema:
      definition.input_schema === undefined ? inputSchemaOf(parameters, hidden) : withoutParameters(definition.input_schema, hidden),
    ...(definition.output_schema === undefined ? {} : { outputSchema: definition.output_schema }),
    credentials,
    origin,
    get hash() {
      return createHash('sha256').update(JSON.stringify(definition)).digest('hex');
    },
  };
  return { tool, problems: report.problems };
}

function checkExecution(
  definition: ToolDefinition,
  type: ExecutionType,
  origin: Origin,
  provider: Provider | undefined,
  encodings: readonly string[],
): { execution?: ToolDefinition['execution']; credentials: CredentialNeed[]; problems: Problem[] } {
  const { type: name, timeout_ms, ...own } = definition.execution;
  const under: Origin = origin.locate === undefined ? origin : { ...origin, locate: (pointer) => origin.locate?.(`/execution${pointer}`) };
  const { value, problems: mistakes } = checkWritten<Record<string, unknown>>(type.schema, own, under);
  const written = { type: name, ...(timeout_ms === undefined ? {} : { timeout_ms }), ...value };
  const execution = provider === undefined || value === undefined ? written : (type.complete?.(written, provider.definition) ?? written);
  const parameters = declaredParameters(definition);
  const credentials = credentialsOf(definition, parameters, placeholdersIn(execution), provider);
  const secrets = credentials
    .map(({ name: secret }) => secret)
    .filter((secret) => isSecretName(secret) || parameters[secret]?.auth === true);
  const names: KnownNames = { parameters: Object.keys(parameters), encodings, credentials: secrets };
  const at = {
    code: 'TOOL_INVALID',
    plugin: origin.plugin,
    ...(origin.file === undefined ? {} : { file: origin.file }),
  } as const;
  const found =
    value === undefined
      ? []
      : (type.check?.(execution, origin, names) ?? []).map((issue) => problemOf(issue, { severity: 'error', ...at }, under.locate));
  const problems = [...mistakes, ...found];
  const placed = problems.map((problem) => ({
    ...problem,
    tool: definition.name,
    path: `execution${problem.path ? `.${problem.path}` : ''}`,
  }));
  const isRefused = value === undefined || found.some(({ severity }) => severity === 'error');
  return isRefused ? { credentials, problems: placed } : { execution, credentials, problems: placed };
}
