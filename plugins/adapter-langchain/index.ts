import type { StructuredTool } from '@langchain/core/tools';
import Type, { type Static } from 'typebox';
import { ModelOptionsSchema, type modelOptions, refuseBoth } from '../shared/model-tools/model-options.ts';
import { ModelTools, type ToolHost } from '../shared/model-tools/model-tools.ts';
import { ApprovalInterrupts, type Interrupt } from './approval-interrupts.ts';
import { ToolkitTool } from './toolkit-tool.ts';

export type { ApprovalQuestion, HostCredentials, OnApproval } from '../shared/model-tools/model-options.ts';
export type { ToolHost } from '../shared/model-tools/model-tools.ts';
export type { ApprovalAnswer, ApprovalInterrupt, Interrupt } from './approval-interrupts.ts';

const ownOptions = {
  /**
   * `interrupt` of @langchain/langgraph. With it, a call that needs approval stops the graph with an `ApprovalInterrupt`, until the graph is resumed with
   * an `ApprovalAnswer`. Not together with `onApproval`. @default no person is asked
   */
  interrupt: Type.Optional(Type.Unsafe<Interrupt>({})),
};

const OptionsSchema: Type.TObject<typeof modelOptions & typeof ownOptions> = Type.Object(
  { ...ModelOptionsSchema.properties, ...ownOptions },
  { additionalProperties: false },
);

export type LangchainOptions = Static<typeof OptionsSchema>;

/**
 * Returns the current tools of a Toolkit or kernel for LangChain and LangGraph; call it again after a reload. A failed tool returns a ToolMessage
 * with `status: 'error'`, or throws when invoked without a tool call. Throws CONFIG_INVALID for invalid options.
 * @example
 * const tools = langchainTools(toolkit, { providers: ['github'], interrupt });
 * const agent = createAgent({ model, tools, checkpointer: new MemorySaver() });
 */
export function langchainTools(host: ToolHost, options: LangchainOptions = {}): StructuredTool[] {
  const { interrupt, onApproval } = options;
  if (interrupt !== undefined && onApproval !== undefined) refuseBoth('langchainTools', 'onApproval', 'interrupt');
  const tools = new ModelTools(host, options, {
    functionName: 'langchainTools',
    schema: OptionsSchema,
    asksItself: interrupt !== undefined,
  });
  const interruptions = interrupt === undefined ? undefined : new ApprovalInterrupts(interrupt);
  return tools.list.map((listed) => new ToolkitTool(listed, tools, interruptions));
}
