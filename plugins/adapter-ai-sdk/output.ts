import type { JSONValue, ToolResultPart } from 'ai';
import { type ContentPart, isPlainObject } from '../../kernel/index.ts';
import { type ModelResult, partText, textOf } from '../shared/model-tools/model-result.ts';

type ModelOutput = ToolResultPart['output'];

/** What stands for an output that has more to show than data: images, and the first page of what is long. */
const shown = 'toolkit/content';

/** The output of a tool, as the framework keeps it: data where there are any, else the text. */
export function outputOf(result: ModelResult): unknown {
  const { structured, output, content } = result;
  if (output !== undefined) return structured ?? output;
  return content.every(({ type }) => type === 'text') && structured === undefined
    ? textOf(result)
    : { [shown]: content, ...(structured === undefined ? {} : { structured }) };
}

/** The same for the model. */
export function modelOutput(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  const parts = isPlainObject(output) ? output[shown] : undefined;
  if (Array.isArray(parts)) return { type: 'content', value: (parts as ContentPart[]).map(partOf) };
  return { type: 'json', value: (output ?? null) as JSONValue };
}

function partOf(part: ContentPart): Extract<ModelOutput, { type: 'content' }>['value'][number] {
  if (part.type === 'image') return { type: 'image-data', data: part.data, mediaType: part.mimeType };
  return { type: 'text', text: partText(part) };
}
