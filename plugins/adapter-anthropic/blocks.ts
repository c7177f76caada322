import type { Base64ImageSource, ImageBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ContentPart } from '../../kernel/index.ts';
import { partText } from '../shared/model-tools/model-result.ts';

type ImageType = Base64ImageSource['media_type'];

const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] satisfies readonly ImageType[];

/** Converts content to blocks of a `tool_result`. Describes sounds and unsupported images as text. Drops empty texts, which the API refuses. */
export function blocksOf(content: readonly ContentPart[]): (TextBlockParam | ImageBlockParam)[] {
  return content.filter((part) => part.type !== 'text' || part.text !== '').map(blockOf);
}

function blockOf(part: ContentPart): TextBlockParam | ImageBlockParam {
  if (part.type !== 'image' || !imageTypes.includes(part.mimeType)) return { type: 'text', text: partText(part) };
  return { type: 'image', source: { type: 'base64', media_type: part.mimeType as ImageType, data: part.data } };
}
