import type { ContentPart, ExecutionResult } from '../../kernel/index.ts';

/** Everything in a result that a model would be shown as text, in the form in which it would be. */
export function shownText({ output, content }: Pick<ExecutionResult, 'output' | 'content'>): string {
  if (content === undefined) return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  return content.flatMap((part) => partText(part) ?? []).join('\n\n');
}

/** The parts that are not text. */
export function otherParts(content: readonly ContentPart[] = []): readonly ContentPart[] {
  return content.filter((part) => partText(part) === undefined);
}

function partText(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource' && 'text' in part.resource) return `${part.resource.uri}\n${part.resource.text}`;
  return undefined;
}
