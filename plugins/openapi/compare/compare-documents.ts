import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../../kernel/index.ts';
import { operationDigests } from '../accepted/operation-digests.ts';
import { hostsOfTool } from '../accepted/tool-hosts.ts';
import type { GeneratedSource, GeneratedTool } from '../generate/generated.ts';
import { keyOfOperation } from '../generate/operation-key.ts';
import { compareSchemas, type SchemaDifferences } from './compare-schemas.ts';

export interface NamedOperation {
  /** Such as `get /files/{file_id}`. */
  readonly operation: string;
  readonly tool: string;
}

export interface ChangedOperation extends NamedOperation {
  /** Differences that calls made so far may not fit. */
  readonly breaking: readonly string[];
  readonly other: readonly string[];
}

/** The differences between the tools of two versions of a document. */
export interface DocumentDifferences {
  readonly added: readonly NamedOperation[];
  readonly gone: readonly NamedOperation[];
  /** Operations of one operationId with another method or path. */
  readonly moved: readonly (NamedOperation & { readonly from: string; readonly formerTool: string })[];
  readonly changed: readonly ChangedOperation[];
  /** Hosts to which no tool sent before. */
  readonly newHosts: readonly string[];
  readonly goneHosts: readonly string[];
}

type Tools = ReadonlyMap<string, GeneratedTool>;

/** Compares the tools of two versions of a document. */
export function compareDocuments(before: GeneratedSource, after: GeneratedSource): DocumentDifferences {
  const [old, now] = [toolsOf(before), toolsOf(after)];
  const gone = [...old].filter(([key]) => !now.has(key));
  const added = [...now].filter(([key]) => !old.has(key));
  const idOf = ([, { operation }]: readonly [string, GeneratedTool]): string | undefined => operation.operationId;
  const moved = added.flatMap((one) => {
    const former = idOf(one) === undefined ? undefined : gone.find((other) => idOf(other) === idOf(one));
    return former === undefined ? [] : [{ ...named(one), from: former[0], formerTool: named(former).tool }];
  });
  const digests = [operationDigests(before), operationDigests(after)] as const;
  const changed = [...now].flatMap(([key, tool]): readonly ChangedOperation[] => {
    const former = old.get(key);
    if (former === undefined || digests[0].get(key) === digests[1].get(key)) return [];
    const { breaking, other } = compareTools([former, before], [tool, after]);
    return [{ ...named([key, tool]), breaking, other }];
  });
  const [oldHosts, nowHosts] = [hostsOf(before), hostsOf(after)];
  return {
    added: added.filter(([key]) => !moved.some(({ operation }) => operation === key)).map(named),
    gone: gone.filter(([key]) => !moved.some(({ from }) => from === key)).map(named),
    moved,
    changed,
    newHosts: nowHosts.filter((host) => !oldHosts.includes(host)),
    goneHosts: oldHosts.filter((host) => !nowHosts.includes(host)),
  };
}

/** True when the tools of both versions are the same. */
export function isSame({ added, gone, moved, changed, newHosts, goneHosts }: DocumentDifferences): boolean {
  return [added, gone, moved, changed, newHosts, goneHosts].every((list) => list.length === 0);
}

function toolsOf({ tools }: GeneratedSource): Tools {
  return new Map(tools.map((tool) => [keyOfOperation(tool.operation), tool]));
}

function named([operation, { definition }]: readonly [string, GeneratedTool]): NamedOperation {
  return { operation, tool: String(definition['name']) };
}

function hostsOf(source: GeneratedSource): readonly string[] {
  return [...new Set(source.tools.flatMap((tool) => hostsOfTool(tool, source)))].sort();
}

function compareTools(
  before: readonly [GeneratedTool, GeneratedSource],
  after: readonly [GeneratedTool, GeneratedSource],
): SchemaDifferences {
  const [one, two] = [before[0].definition, after[0].definition];
  const schemaOf = (which: typeof before, key: string) => ({ schema: which[0].definition[key], shared: sharedOf(which[1]) });
  const input = compareSchemas(inputOf(before), inputOf(after), 'input', '');
  const output = compareSchemas(schemaOf(before, 'output_schema'), schemaOf(after, 'output_schema'), 'output', 'result');
  const breaking = [...input.breaking, ...output.breaking];
  const other = [...input.other, ...output.other];
  const [oldHosts, nowHosts] = [hostsOfTool(...before), hostsOfTool(...after)];
  if (!isDeepStrictEqual(oldHosts, nowHosts)) breaking.push(`sends to ${nowHosts.join(', ')}, before to ${oldHosts.join(', ')}`);
  for (const key of ['risk', 'requires_approval'])
    if (!isDeepStrictEqual(one[key], two[key]))
      other.push(`${key}: ${JSON.stringify(one[key] ?? null)} before, ${JSON.stringify(two[key] ?? null)} now`);
  if (one['description'] !== two['description']) other.push('description');
  if (breaking.length + other.length === 0)
    other.push(isDeepStrictEqual(one['execution'], two['execution']) ? 'texts of parameters' : 'how the request is written');
  return { breaking, other };
}

function sharedOf({ provider }: GeneratedSource): Readonly<Record<string, unknown>> {
  return isPlainObject(provider['$defs']) ? provider['$defs'] : {};
}

/** Returns the parameters of a tool as one schema, whichever way the definition declares them. */
function inputOf([{ definition }, source]: readonly [GeneratedTool, GeneratedSource]) {
  const shared = sharedOf(source);
  const parameters = isPlainObject(definition['parameters']) ? definition['parameters'] : {};
  const schema = isPlainObject(definition['input_schema']) ? definition['input_schema'] : {};
  const properties = { ...parameters, ...(isPlainObject(schema['properties']) ? schema['properties'] : {}) };
  const required = Object.keys(parameters).filter((name) => (parameters[name] as { required?: unknown } | null)?.required === true);
  return {
    schema: { ...schema, properties, required: [...required, ...(Array.isArray(schema['required']) ? schema['required'] : [])] },
    shared,
  };
}
