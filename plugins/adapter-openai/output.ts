import type { ResponseFunctionCallOutputItem } from 'openai/resources/responses/responses';
import type { ContentPart } from '../../kernel/index.ts';
import { type ModelResult, partText, textOf } from '../shared/model-tools/model-result.ts';

/** Converts a result for the Responses API, which accepts images. The API has no failure flag: the text of a failure begins with its code. */
export function toResponseOutput(result: ModelResult): string | ResponseFunctionCallOutputItem[] {
  return result.content.some(({ type }) => type === 'image') ? result.content.map(itemOf) : textOf(result);
}

function itemOf(part: ContentPart): ResponseFunctionCallOutputItem {
  if (part.type !== 'image') return { type: 'input_text', text: partText(part) };
  return { type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}`, detail: 'auto' };
}
