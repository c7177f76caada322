import type { JSONValue, ToolResultPart } from 'ai';
import { type ContentPart, isPlainObject } from '../../kernel/index.ts';
import { type ModelResult, partText, textOf } from '../shared/model-tools/model-result.ts';

type ModelOutput = ToolResultPart['output'];

/** Member of an output that has more than data: images, or the first page of a long text. */
const contentKey = 'toolkit/content';

/** Returns the output of a tool for the framework: its data, else its text. */
export function toFrameworkOutput(result: ModelResult): unknown {
  const { structured, output, content } = result;
  if (output !== undefined) return structured ?? output;
  return content.every(({ type }) => type === 'text') && structured === undefined
    ? textOf(result)
    : { [contentKey]: content, ...(structured === undefined ? {} : { structured }) };
}

/** Converts an output of `outputOf` for the model. */
export function modelOutput(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  const parts = isPlainObject(output) ? output[contentKey] : undefined;
  if (Array.isArray(parts)) return { type: 'content', value: (parts as ContentPart[]).map(toContentPart) };
  return { type: 'json', value: (output ?? null) as JSONValue };
}

function toContentPart(part: ContentPart): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  if (part.type === 'image') return { type: 'image-data', data: part.data, mediaType: part.mimeType };
  return { type: 'text', text: partText(part) };
}
