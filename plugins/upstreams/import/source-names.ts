import { createHash } from 'node:crypto';
import { normalizeText } from '../../../kernel/index.ts';

/** Maximum characters of the name of a source. */
const maxLength = 30;

const hashLength = 6;

/**
 * Returns the name of a source for each name of a server: lower-case letters and digits with single `-` or `_` between them. Too long ones, and several that
 * would be equal, end with a hash of the name.
 */
export function sourceNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const drafts = [...new Set(names)].map((name) => ({ name, draft: draftOf(name) }));
  const counts = new Map<string, number>();
  for (const { draft } of drafts) counts.set(draft, (counts.get(draft) ?? 0) + 1);
  return new Map(
    drafts.map(({ name, draft }) => [name, counts.get(draft) === 1 && draft.length <= maxLength ? draft : withHash(draft, name)]),
  );
}

function draftOf(name: string): string {
  // A longer name gets a hash anyway.
  const plain = normalizeText(name.slice(0, 4 * maxLength), 'NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/([_-])[_-]+/g, '$1')
    .replace(/^[_-]+|[_-]+$/g, '');
  return /^[a-z]/.test(plain) ? plain : `mcp${plain === '' ? '' : '-'}${plain}`;
}

function withHash(draft: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${draft.slice(0, maxLength - hashLength - 1).replace(/[_-]+$/, '')}-${hash}`;
}
