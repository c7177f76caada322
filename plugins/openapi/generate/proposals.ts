import type { Operation } from '../operations/operation.ts';
import { wordsOf } from './words.ts';

const reading = new Set([
  'get',
  'list',
  'search',
  'query',
  'find',
  'lookup',
  'read',
  'fetch',
  'count',
  'preview',
  'validate',
  'check',
  'calculate',
  'estimate',
  'export',
]);
const acting = new Set([
  'send',
  'delete',
  'remove',
  'create',
  'add',
  'update',
  'set',
  'post',
  'cancel',
  'start',
  'stop',
  'run',
  'execute',
  'trigger',
  'reset',
  'revoke',
  'approve',
  'archive',
  'logout',
  'unsubscribe',
]);

const sizeNames = ['per_page', 'page_size', 'pageSize', 'limit', 'maxResults', 'max_results', 'count', 'size', 'top', '$top'];
const ways: readonly { readonly names: readonly string[]; readonly way: string }[] = [
  { names: ['cursor', 'page_token', 'pageToken', 'next_token', 'nextToken', 'starting_after', 'after', 'continuation'], way: 'cursor' },
  { names: ['offset', 'skip', '$skip', 'startAt', 'start'], way: 'offset' },
  { names: ['page', 'page_number', 'pageNumber', 'Page'], way: 'page' },
];

/** Returns proposals for a person, from words of the document: nothing of them takes effect by itself. */
export function proposalsOf(operation: Operation): readonly string[] {
  const { method, operationId = '', path, parameters } = operation;
  const last =
    path
      .split('/')
      .filter((segment) => segment !== '' && !segment.startsWith('{'))
      .at(-1) ?? '';
  const words = operationId === '' ? wordsOf(last) : wordsOf(operationId).filter((word) => word !== method);
  const proposals: string[] = [];
  if (method === 'post' && words.some((word) => reading.has(word)) && !words.some((word) => acting.has(word)))
    proposals.push('proposes risk low: a POST that by its name only reads');
  if (method === 'get' && words.some((word) => acting.has(word)) && !words.some((word) => reading.has(word)))
    proposals.push('proposes risk medium and an approval: a GET that by its name acts');
  if (method === 'get') {
    const names = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
    const way = ways.find((one) => one.names.some((name) => names.has(name)));
    const next = way?.names.find((name) => names.has(name));
    const size = sizeNames.find((name) => names.has(name) && name !== next);
    if (way !== undefined)
      proposals.push(`proposes paginate: by ${way.way} in "${next}"${size === undefined ? '' : `, with "${size}" items a page`}`);
  }
  return proposals;
}
