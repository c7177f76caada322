import { type CallOutput, type ContentPart, type JsonValue, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { failureText, outputText } from '../exposure/result-text.ts';
import { structuredOutput } from '../exposure/structured-output.ts';

/** What a model gets of a call. */
export interface ModelResult {
  /** What it is shown, at least one part. */
  readonly content: readonly ContentPart[];
  /** The output as data, cut to the output budget, where the tool says in its `output_schema` that it is an object. */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** The output as data, where nothing else is shown in its place. */
  readonly output?: JsonValue;
  /** Set where the call has failed. */
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

/** A call that has failed, told so that the model can do something about it. */
export function failureOf(thrown: unknown): ModelResult {
  const error = ToolkitError.is(thrown)
    ? thrown
    : new ToolkitError('EXECUTION_FAILED', `The call failed inside the host: ${messageOf(thrown)}`);
  return { content: [{ type: 'text', text: failureText(error) }], error };
}

/** The content as one text. Of what is no text, what it is. */
export function textOf({ content }: Pick<ModelResult, 'content'>): string {
  return content.map(partText).join('\n\n');
}

/** One part as text. */
export function partText(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') return `${part.name}: ${part.uri}`;
  if (part.type !== 'resource') return `[${part.type} of type ${part.mimeType}, not shown here]`;
  const { resource } = part;
  return 'text' in resource ? resource.text : `[file ${resource.uri}, not shown here]`;
}
