import { isPlainObject } from '../../../kernel/index.ts';
import { settingsName } from '../document/own-settings.ts';
import { isUrl } from '../document/reference.ts';
import { defined, isTrue, memberOf, textOf } from './members.ts';
import type { DocumentMethod, Operation, Server } from './operation.ts';
import { listParameters } from './parameter-list.ts';
import { readParameters } from './parameters.ts';
import { parsePath, plainName } from './path-template.ts';
import type { OperationContext } from './read-context.ts';
import { readBody } from './request-body.ts';
import { readResponses } from './responses.ts';
import { readSecurity } from './security-requirements.ts';
import { readServers, serversOf2 } from './servers.ts';
import { UnusableOperation } from './unusable-operation.ts';

/** Maximum tags of an operation. */
const maxTags = 50;

/** Reads one operation. Throws `UnusableOperation` when it cannot become a tool. */
export function readOperation(context: OperationContext, method: DocumentMethod, path: string): Operation {
  const { located } = context;
  const { value } = located;
  if (!isPlainObject(value)) throw new UnusableOperation('invalid', `${located.pointer}: expected an object with the operation`);
  if (method === 'trace') throw new UnusableOperation('TRACE', `${located.pointer}: TRACE requests are not sent`);
  const template = parsePath(path);
  const inPath = new Set([...template.names.map(plainName), ...template.queryNames.map(({ name }) => name)]);
  const listed = listParameters(context, (name) => inPath.has(name));
  const body = readBody(context, method, listed);
  const { path: sentPath, parameters } = readParameters(context, listed, template);
  const tags = memberOf(value, 'tags');
  return defined<Operation>({
    method,
    path,
    sentPath: sentPath === path ? undefined : sentPath,
    fixedQuery: template.fixedQuery.length === 0 ? undefined : template.fixedQuery,
    located,
    operationId: textOf(value, 'operationId')?.trim(),
    summary: textOf(value, 'summary'),
    description: textOf(value, 'description'),
    tags: Array.isArray(tags) ? [...new Set(tags.slice(0, maxTags).filter((tag) => typeof tag === 'string'))] : [],
    isDeprecated: isTrue(value, 'deprecated'),
    parameters,
    body,
    responses: readResponses(context),
    servers: serversOf(context),
    security: readSecurity(context),
    ownSettings: settingsOf(context, context.opened.ownSettings),
    overlaySettings: settingsOf(context, (object) => memberOf(object, settingsName)),
  });
}

function serversOf({ dialect, located, items, root, opened, servers }: OperationContext): readonly Server[] {
  if (dialect === '2.0')
    return memberOf(located.value, 'schemes') === undefined ? servers : serversOf2(root.value, located.value, opened.location);
  // A document from a file has no URL to which its paths could be relative, but perhaps a server.
  const base = isUrl(opened.location) ? opened.location : (servers[0]?.url ?? opened.location);
  for (const { value } of [located, ...items]) {
    const own = readServers(value, base);
    if (own !== undefined && own.length > 0) return own;
  }
  return servers;
}

/** Returns the settings of document, path and operation as one: an inner one replaces members of an outer one. */
function settingsOf({ root, items, located, budget }: OperationContext, settingsIn: (object: object) => unknown): unknown {
  const found = [root, ...items.toReversed(), located]
    .map(({ value }) => settingsIn(value as object))
    .filter((settings) => settings !== undefined);
  if (found.length <= 1) return found[0];
  if (!found.every(isPlainObject)) return found.at(-1);
  const entries = found.flatMap((settings) => Object.entries(settings));
  budget.spend(entries.length);
  return Object.fromEntries(entries);
}
