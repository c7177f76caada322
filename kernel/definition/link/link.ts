import { didYouMean } from '../../schema/nearest.ts';
import { checkDefinition } from '../check/check-definition.ts';
import { reportFailureOutput } from '../check/failure-output.ts';
import { reportGate } from '../check/gate.ts';
import type { DefinitionKeys } from '../check/keys.ts';
import { reportReferences } from '../check/parameter-references.ts';
import { reportPure } from '../check/pure.ts';
import { createReporter } from '../check/reporter.ts';
import {
  declaredParameters,
  reportDefaults,
  reportParameterKeys,
  reportPlaceholders,
  reportQuestioned,
  reportSchemas,
  reportSupplied,
} from '../check/reports.ts';
import { withoutInvalidParts } from '../check/without-invalid-parts.ts';
import { type CredentialNeed, credentialsOf, isSecretName } from '../schema/credentials.ts';
import type { DefinitionContext, ExecutionType, KnownNames } from '../schema/execution-type.ts';
import type { Origin } from '../schema/origin.ts';
import { type Problem, problemOf } from '../schema/problem.ts';
import { withSharedSchemas } from '../schema/shared-schemas.ts';
import { placeholdersIn, questionedIn } from '../schema/template.ts';
import type { Provider } from '../schema/tool.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { annotationsOf } from './annotations.ts';
import type { ToolLinkResult } from './link-result.ts';
import { LinkedTool, type ToolBody, type ToolHead } from './linked-tool.ts';
import { suppliedNames } from './supplied-names.ts';
import { withProvider } from './with-provider.ts';

export interface LinkOptions {
  readonly executionTypes: ReadonlyMap<string, ExecutionType>;
  /** Names of `parameter_encoding` that plugins defined. */
  readonly encodings: readonly string[];
  /** The definition keys of plugins. */
  readonly keys: DefinitionKeys;
}

/**
 * Links a checked definition with its provider and its execution type. Returns problems instead of `tool` for an invalid one. `form`: the link
 * result to cache; absent when a plugin without a fingerprint affected it.
 */
export function linkTool(
  ownDefinition: ToolDefinition,
  origin: Origin,
  provider: Provider | undefined,
  options: LinkOptions,
): { tool?: LinkedTool; problems: Problem[]; form?: ToolLinkResult } {
  const report = createReporter(ownDefinition, origin);
  const unshared = withProvider(ownDefinition, origin, provider, report);
  const definition = withSharedSchemas(unshared, provider?.definition);
  if (report.problems.length > 0) return { problems: report.problems };
  const type = options.executionTypes.get(definition.execution.type);
  reportParameterKeys(definition, (key) => options.keys.isParameterKeyEnforced(key), report);
  reportGate(definition, declaredParameters(definition), report);
  reportSchemas(definition, report);
  reportFailureOutput(definition, report);
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
  const risk = definition.risk ?? type.risk?.(checked.execution) ?? 'high';
  const annotations = annotationsOf(definition, risk, type.annotations?.(checked.execution) ?? {}, report);
  const context: DefinitionContext = {
    definition,
    execution: checked.execution,
    annotations,
    parameters: declaredParameters(definition),
    credentials: checked.credentials,
    ...(provider === undefined ? {} : { provider }),
  };
  options.keys.reportValues(context, report);
  options.keys.reportUnenforced(context, report);
  reportDefaults(definition, checked.credentials, report);
  const parameters = declaredParameters(definition);
  const { execution, credentials } = checked;
  const placeholders = new Set(placeholdersIn(execution));
  const supplied = new Set(credentials.map(({ name }) => name));
  reportReferences(definition, execution, type.canStream?.(execution) === true, report);
  reportQuestioned(questionedIn(execution), new Set([...Object.keys(parameters), ...supplied]), report);
  reportPlaceholders(placeholders, parameters, supplied, new Set(type.derives?.(execution) ?? []), report);
  const ofService = suppliedNames({ execution, credentials, parameters, provider: provider?.definition });
  reportSupplied(ofService, parameters, report);
  reportPure(definition, { type, parameters, credentials, annotations }, report);
  if (report.problems.some(({ severity }) => severity === 'error')) return { problems: report.problems };

  const hidden = [...new Set([...ofService, ...[...supplied].filter((name) => parameters[name]?.auth === true)])];
  const looksAtFiles = type.files !== undefined || type.checkFiles !== undefined;
  const head: ToolHead = { name: definition.name, credentials, ...(looksAtFiles ? { execution } : {}) };
  const exactIntegers = type.exactIntegers?.(execution);
  // Without shared schemas: all tools of a provider together would have them many times.
  const body: ToolBody = {
    definition: unshared,
    execution,
    risk,
    annotations,
    hidden,
    ...(exactIntegers === undefined ? {} : { exactIntegers }),
  };
  const isLasting = type.fingerprint !== undefined && options.keys.areAllKnown(definition, provider?.definition);
  const tool = new LinkedTool(head, () => body, origin, provider);
  return { tool, problems: report.problems, ...(isLasting ? { form: { head, body: () => body } } : {}) };
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
  const { value: whole, problems: mistakes, issues } = checkDefinition<Record<string, unknown>>(type.schema, own, under);
  // The valid parts are checked too. The problems keep the tool from being used.
  const value = whole ?? (issues === undefined ? undefined : withoutInvalidParts<Record<string, unknown>>(type.schema, own, issues));
  const written = { type: name, ...(timeout_ms === undefined ? {} : { timeout_ms }), ...value };
  const execution = provider === undefined || value === undefined ? written : (type.complete?.(written, provider) ?? written);
  const parameters = declaredParameters(definition);
  const alternatives = value === undefined ? [] : (type.alternatives?.(execution) ?? []);
  const credentials = credentialsOf(definition, parameters, placeholdersIn(execution), provider?.definition, alternatives);
  const secrets = credentials
    .map(({ name: secret }) => secret)
    .filter((secret) => isSecretName(secret) || parameters[secret]?.auth === true);
  const names: KnownNames = { parameters: Object.keys(parameters), declared: parameters, encodings, credentials: secrets };
  const at = {
    code: 'TOOL_INVALID',
    plugin: origin.plugin,
    ...(origin.file === undefined ? {} : { file: origin.file }),
  } as const;
  const found =
    value === undefined
      ? []
      : [...(type.check?.(execution, origin, names) ?? []), ...(type.checkFiles?.(execution, origin) ?? [])].map((issue) =>
          problemOf(issue, { severity: 'error', ...at }, under.locate),
        );
  const problems = [...mistakes, ...found];
  const placed = problems.map((problem) => ({
    ...problem,
    tool: definition.name,
    path: `execution${problem.path ? `.${problem.path}` : ''}`,
  }));
  return value === undefined ? { credentials, problems: placed } : { execution, credentials, problems: placed };
}
