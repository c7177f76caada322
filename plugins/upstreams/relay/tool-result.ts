import { type ContentPart, checkContent, type ExecutionResult, type JsonObject, ToolkitError } from '../../../kernel/index.ts';
import { relayedMeta } from './relayed-meta.ts';

/** Returns the result of a tool as one of this program: structured content as the output, else its text, with all parts beside it. */
export function toolResult(result: JsonObject, tool: string): ExecutionResult {
  const { structuredContent, isError, _meta } = result;
  const content = contentParts(result['content']);
  if (isError === true) throw failure(result, content, tool);
  const isStructured = structuredContent !== undefined;
  const [first] = content;
  const isText = content.length === 1 && first?.type === 'text';
  return {
    output: isStructured ? structuredContent : isText ? first.text : content,
    content,
    meta: { ...(isStructured ? { isStructured } : {}), ...relayedMeta(_meta) },
  };
}

/** Returns the failure that a tool reports, with all its parts. */
function failure({ structuredContent, _meta }: JsonObject, content: readonly ContentPart[], tool: string): ToolkitError {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const message = texts.join('\n').slice(0, 4000).toWellFormed() || 'The tool reports a failure without a text.';
  const result = {
    content: [...content],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...relayedMeta(_meta),
  };
  return new ToolkitError('EXECUTION_FAILED', message, { tool, result });
}

/** Returns the parts as they are. One that a client could not show becomes its JSON as text. */
export function contentParts(content: unknown): readonly ContentPart[] {
  if (!Array.isArray(content)) return [];
  return content.map((part: unknown) => {
    try {
      checkContent([part], '');
      return part as ContentPart;
    } catch {
      return { type: 'text', text: JSON.stringify(part) ?? '' };
    }
  });
}
