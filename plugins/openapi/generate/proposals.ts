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

/** Returns proposals for a person, from words of the document: nothing of them takes effect by itself. */
export function proposalsOf({ method, operationId = '', path }: Operation): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = operationId === '' ? wordsOf(segments.at(-1) ?? '') : wordsOf(operationId).filter((word) => word !== method);
  const [reads, acts] = [reading, acting].map((set) => words.some((word) => set.has(word)));
  if (method === 'post' && reads && !acts) return ['proposes risk low: a POST that by its name only reads'];
  if (method === 'get' && acts && !reads) return ['proposes risk medium and an approval: a GET that by its name acts'];
  return [];
}
