import { type ContentPart, type ExecutionResult, isLarge, type JsonValue, type Maybe } from '../../kernel/index.ts';
import { indentedJson } from '../shared/text/indented-json.ts';

/** Everything in a result that a model would be shown as text, in the form in which it would be. Waits only for what is large. */
export function shownText({ output, content }: Pick<ExecutionResult, 'output' | 'content'>): Maybe<string> {
  if (content !== undefined) return content.flatMap((part) => partText(part) ?? []).join('\n\n');
  if (typeof output === 'string') return output;
  return isLarge(output) ? indentedJson(output as JsonValue) : JSON.stringify(output, null, 2);
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
