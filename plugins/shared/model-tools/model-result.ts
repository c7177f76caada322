import { type CallOutput, type ContentPart, type JsonValue, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { failureText, outputText, structuredOutput } from '../exposure/tool-output.ts';

/** Result of a call as a model receives it. */
export interface ModelResult {
  /** Content to show, at least one part. */
  readonly content: readonly ContentPart[];
  /** Output as structured data, cut to the output budget. Set when the tool's `output_schema` is an object. */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** Output as data. Set when the tool supplies no content of its own. */
  readonly output?: JsonValue;
  /** Set when the call has failed. */
  readonly error?: ToolkitError;
}

export function resultOf({ tool, output, content, structured: cut, error }: CallOutput): ModelResult {
  const structured = structuredOutput(tool, cut === undefined ? output : cut.output);
  return {
    content: content ?? [{ type: 'text', text: outputText(output) }],
    ...(structured === undefined ? {} : { structured }),
    ...(content === undefined ? { output } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** Converts a failure into a result that tells the model what to do. */
export function failureOf(thrown: unknown): ModelResult {
  const error = ToolkitError.is(thrown)
    ? thrown
    : new ToolkitError('EXECUTION_FAILED', `The call failed inside the host: ${messageOf(thrown)}`);
  return { content: [{ type: 'text', text: failureText(error) }], error };
}

/** Joins the content into one text. Parts that are not text are named. */
export function textOf({ content }: Pick<ModelResult, 'content'>): string {
  return content.map(partText).join('\n\n');
}

/** Converts one part to text. */
export function partText(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') return `${part.name}: ${part.uri}`;
  if (part.type !== 'resource') return `[${part.type} of type ${part.mimeType}, not shown here]`;
  const { resource } = part;
  return 'text' in resource ? resource.text : `[file ${resource.uri}, not shown here]`;
}
