import Type from 'typebox';
import { apiVersion, type CallContext, definePlugin, type Tool, ToolkitError } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';

/** Marks a tool that takes long. `required`: only clients that can fetch the result later may call it. */
const LongSchema = Type.Union([Type.Boolean(), Type.Literal('required')]);

/** Interval of progress messages to a waiting client, in milliseconds: many clients give up after a minute without one. */
const progressIntervalMs = 10_000;

/** Stage before any plugin that answers in place of the executor. */
const beforeAllPlugins = -1000;

/**
 * Enforces `long: true`. A client that supports it continues while the call runs, and fetches the result later (MCP 2026-07-28, Tasks). A waiting
 * client gets progress messages. Host code gets a result as from any other tool.
 */
export const callsLong = definePlugin({
  name: 'calls-long',
  apiVersion,
  apply({ hooks, extend }) {
    const long = extend.definitionKey('long', LongSchema, { fingerprint: build });
    const appliesTo = (tool: Tool): boolean => (long.of(tool) ?? false) !== false;
    const waiting = new Map<string, NodeJS.Timeout>();

    hooks.beforeExecute.tap({ name: 'calls-long', appliesTo }, ({ tool, origin }, { client }) => {
      if (long.of(tool) === 'required' && origin === 'model' && client.later === undefined) throw tooLongError(tool);
      return undefined;
    });
    hooks.execute.for('*').tap({ name: 'calls-long', stage: beforeAllPlugins, appliesTo }, ({ id, origin }, context) => {
      if (context.client.later !== undefined) context.client.later();
      else if (origin === 'model') waiting.set(id, reportProgress(context));
      return undefined;
    });
    hooks.settled.tap({ name: 'calls-long', appliesTo }, ({ id }) => {
      clearInterval(waiting.get(id));
      waiting.delete(id);
    });
  },
});

function reportProgress(context: CallContext): NodeJS.Timeout {
  return setInterval(() => context.progress({ message: 'still running' }), progressIntervalMs).unref();
}

function tooLongError({ name }: Tool): ToolkitError {
  return new ToolkitError(
    'POLICY_DENIED',
    `"${name}" takes so long that only a client that can fetch the result later may call it (the MCP extension io.modelcontextprotocol/tasks), and this client cannot.`,
    { tool: name, clientLacks: ['later'] },
  );
}
