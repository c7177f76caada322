import type { ContentPart } from '../../kernel/index.ts';

/** Returns the text that a model is shown of content parts. */
export function shownText(content: readonly ContentPart[]): string {
  return content.flatMap((part) => partText(part) ?? []).join('\n\n');
}

/** Returns the parts that are not text. */
export function otherParts(content: readonly ContentPart[] = []): readonly ContentPart[] {
  return content.filter((part) => partText(part) === undefined);
}

function partText(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource' && 'text' in part.resource) return `${part.resource.uri}\n${part.resource.text}`;
  return undefined;
}
