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

/** JSON types that say different things by the same value: RFC 6902, RFC 7396, and those of Kubernetes. */
const patchType = /patch\+json$/;

/**
 * Returns the contents among which a caller chooses: the first of each kind, and each way to patch. XML and text are left out beside JSON or a form,
 * which say the same with members that a model can fill in.
 */
export function offeredContents(contents: readonly BodyContent[]): readonly BodyContent[] {
  const kinds = new Map<string, BodyContent>();
  for (const content of contents) {
    const kind = patchType.test(content.mediaType) ? content.mediaType : bodyKindOf(content.mediaType);
    const known = kinds.get(kind);
    // The plain type rather than one of a vendor.
    if (known === undefined || (known.mediaType !== 'application/json' && content.mediaType === 'application/json'))
      kinds.set(kind, content);
  }
  const hasMembers = [...kinds.values()].some(({ mediaType }) => ['json', 'form', 'multipart'].includes(bodyKindOf(mediaType)));
  if (hasMembers) for (const kind of ['xml', 'text'] as const) kinds.delete(kind);
  return [...kinds.values()];
}

/** Returns the Content-Type that is sent for a media type or range. */
export function sentType(mediaType: string): string {
  return mediaType.includes('*') ? 'application/json' : mediaType;
}
