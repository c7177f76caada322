import Type from 'typebox';
import { apiVersion, type CallContext, definePlugin, type Tool, ToolkitError } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';

/** Whether the tool takes long. `required`: so long that only a client may call it which takes the result later. */
const LongSchema = Type.Union([Type.Boolean(), Type.Literal('required')]);

/** How often a client that waits hears that the call still runs, in milliseconds: many of them give up after a minute of silence. */
const quietMs = 10_000;

/** Before whatever answers in place of the executor. */
const first = -1000;

/**
 * Enforces `long: true`: a client that can do so goes on while the call runs, and takes its result later (MCP 2026-07-28, Tasks); one that waits is told
 * from time to time that it still runs. Host code gets a result like any other.
 */
export const callsLong = definePlugin({
  name: 'calls-long',
  apiVersion,
  apply({ hooks, extend }) {
    const long = extend.definitionKey('long', LongSchema, { fingerprint: build });
    const appliesTo = (tool: Tool): boolean => (long.of(tool) ?? false) !== false;
    const waiting = new Map<string, NodeJS.Timeout>();

    hooks.beforeExecute.tap({ name: 'calls-long', appliesTo }, ({ tool, origin }, { client }) => {
      if (long.of(tool) === 'required' && origin === 'model' && client.later === undefined) throw tooLong(tool);
      return undefined;
    });
    hooks.execute.for('*').tap({ name: 'calls-long', stage: first, appliesTo }, ({ id, origin }, context) => {
      if (context.client.later !== undefined) context.client.later();
      else if (origin === 'model') waiting.set(id, tellWhileItRuns(context));
      return undefined;
    });
    hooks.settled.tap({ name: 'calls-long', appliesTo }, ({ id }) => {
      clearInterval(waiting.get(id));
      waiting.delete(id);
    });
  },
});

function tellWhileItRuns(context: CallContext): NodeJS.Timeout {
  return setInterval(() => context.progress({ message: 'still running' }), quietMs).unref();
}

function tooLong({ name }: Tool): ToolkitError {
  return new ToolkitError(
    'POLICY_DENIED',
    `"${name}" takes so long that only a client may call it which takes its result later (the extension io.modelcontextprotocol/tasks of MCP), and this one cannot.`,
    { tool: name, clientLacks: ['later'] },
  );
}
