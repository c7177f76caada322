import { jsonSchema, type Tool, type ToolSet } from 'ai';
import Type, { type Static } from 'typebox';
import { outputSchemaChoices } from '../shared/exposure/listed-schemas.ts';
import { ModelOptionsSchema, type modelOptions, refuseBoth } from '../shared/model-tools/model-options.ts';
import { ModelTools, type ToolHost } from '../shared/model-tools/model-tools.ts';
import { ApprovalRequests, type OnQuestion, type QuestionStore } from './approvals.ts';
import { modelOutput } from './output.ts';
import { runTool } from './run-tool.ts';

export type { ApprovalQuestion, HostCredentials, OnApproval } from '../shared/model-tools/model-options.ts';
export type { ToolHost } from '../shared/model-tools/model-tools.ts';
export type { OnQuestion, QuestionStore as AskedStore } from './approvals.ts';

const ownOptions = {
  /**
   * True to end the run with an approval request of the framework when a call needs approval. False: such a call is decided by the approval gate as for
   * a client that cannot ask. @default true, unless `onApproval` is set
   */
  needsApproval: Type.Optional(Type.Boolean()),
  /** Called with the details to show a person, because the framework's request has only the name and the input. @default none */
  onQuestion: Type.Optional(Type.Unsafe<OnQuestion>({})),
  /** Store of open questions, for hosts with several processes. @default the memory of this process */
  asked: Type.Optional(Type.Unsafe<QuestionStore>({})),
  /** Output schemas of the tools, as for MCP. @default 'none' */
  outputSchemas: Type.Optional(Type.Enum([...outputSchemaChoices])),
};

const OptionsSchema: Type.TObject<typeof modelOptions & typeof ownOptions> = Type.Object(
  { ...ModelOptionsSchema.properties, ...ownOptions },
  { additionalProperties: false },
);

export type AiSdkOptions = Static<typeof OptionsSchema>;

/**
 * Returns the current tools of a Toolkit or kernel for `generateText` and `streamText` of the AI SDK; call it again after a reload. A failed
 * tool throws, and the framework passes the error to the model as `tool-error`. Throws CONFIG_INVALID for invalid options.
 * @example
 * const tools = aiSdkTools(toolkit, { providers: ['github'] });
 * const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(5) });
 */
export function aiSdkTools(host: ToolHost, options: AiSdkOptions = {}): ToolSet {
  const { onApproval, needsApproval = onApproval === undefined, outputSchemas = 'none', asked, onQuestion } = options;
  if (needsApproval && onApproval !== undefined) refuseBoth('aiSdkTools', 'onApproval', 'needsApproval');
  const unusedOption = needsApproval ? undefined : (['onQuestion', 'asked'] as const).find((name) => options[name] !== undefined);
  if (unusedOption !== undefined) refuseBoth('aiSdkTools', unusedOption, onApproval === undefined ? 'needsApproval: false' : 'onApproval');
  const tools = new ModelTools(host, options, {
    functionName: 'aiSdkTools',
    schema: OptionsSchema,
    outputSchemas,
    asksItself: needsApproval,
  });
  const approvals = needsApproval ? new ApprovalRequests(tools, asked, onQuestion) : undefined;
  return Object.fromEntries(
    tools.list.map(({ name, title, description = '', inputSchema, outputSchema }): [string, Tool<unknown, unknown>] => [
      name,
      {
        description,
        ...(title === undefined ? {} : { title }),
        // No validation here: the errors of the kernel say what to correct.
        inputSchema: jsonSchema<unknown>(inputSchema as never),
        ...(outputSchema === undefined ? {} : { outputSchema: jsonSchema<unknown>(outputSchema as never) }),
        ...(approvals === undefined
          ? {}
          : { needsApproval: (input: unknown, { toolCallId, messages }) => approvals.isNeeded(name, input, { toolCallId, messages }) }),
        execute: (input: unknown, { toolCallId, abortSignal }) =>
          runTool(tools, name, input, { signal: abortSignal, approve: approvals?.approveFor(toolCallId) }),
        toModelOutput: ({ output }) => modelOutput(output),
      },
    ]),
  );
}
