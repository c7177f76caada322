import type { BodyContent } from '../operations/operation.ts';

/** The ways in which this program writes a body. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'xml' | 'text' | 'file';

/** Returns the way in which a body of a media type is written. A range such as any type is JSON. */
export function bodyKindOf(mediaType: string): BodyKind {
  if (/^(\*\/\*|application\/\*)$/.test(mediaType) || /[/+]json([.+-]|$)/.test(mediaType)) return 'json';
  if (mediaType === 'application/x-www-form-urlencoded') return 'form';
  if (mediaType === 'multipart/form-data') return 'multipart';
  if (/[/+]xml$/.test(mediaType)) return 'xml';
  return /^text\//.test(mediaType) || /^application\/(graphql|yaml|x-yaml|x-ndjson|javascript|sql)$/.test(mediaType) ? 'text' : 'file';
}

/**
 * Returns the contents among which a caller chooses: the first of each kind. XML and text are left out beside JSON or a form, which say the same
 * with members that a model can fill in.
 */
export function offeredContents(contents: readonly BodyContent[]): readonly BodyContent[] {
  const kinds = new Map<BodyKind, BodyContent>();
  for (const content of contents) {
    const kind = bodyKindOf(content.mediaType);
    const known = kinds.get(kind);
    // The plain type rather than one of a vendor.
    if (known === undefined || (known.mediaType !== 'application/json' && content.mediaType === 'application/json'))
      kinds.set(kind, content);
  }
  const hasMembers = ['json', 'form', 'multipart'].some((kind) => kinds.has(kind as BodyKind));
  if (hasMembers) for (const kind of ['xml', 'text'] as const) kinds.delete(kind);
  return [...kinds.values()];
}

/** Returns the Content-Type that is sent for a media type or range. */
export function sentType(mediaType: string): string {
  return mediaType.includes('*') ? 'application/json' : mediaType;
}
