/** A program with a kernel, whose tool does nothing. Each message is a number of calls; the answer is the processor time of one of them, in microseconds. */
import path from 'node:path';

// The built package, because that is what people run.
const { apiVersion, createKernel, createLogger, definePlugin, executorFunction, validateOutput }: typeof import('@toolkit/core') =
  await import(path.resolve('dist/plugins/toolkit/index.js'));

const noop = definePlugin({
  name: 'tool',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.discover.tap('tool', (sink) =>
      sink.addTool({
        name: 'noop',
        description: 'Does nothing.',
        parameters: { n: { type: 'integer' } },
        execution: { type: 'function', handler: () => null },
      }),
    ),
});

const attributes = {
  'mcp.method.name': 'tools/call',
  'mcp.protocol.version': '2025-11-25',
  'network.transport': 'pipe',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'noop',
};

const telemetry =
  process.argv[2] === 'telemetry'
    ? [(await import(path.resolve('dist/plugins/telemetry/index.js'))).telemetry() as ReturnType<typeof executorFunction>]
    : [];
const logger = createLogger({ env: {}, write: () => {} });
const kernel = await createKernel({ plugins: [executorFunction(), validateOutput(), noop(), ...telemetry], logger });
await kernel.serve();

/** A call as a server makes it: in a SERVER span, which ends with it. */
function call(n: number): void {
  const span = kernel.tracer?.start('tools/call noop', 'server', { attributes: () => attributes });
  const output = kernel.start({ tool: 'noop', parameters: { n }, ...(span === undefined ? {} : { trace: span }) });
  if (output instanceof Promise) throw new Error('The call had to wait.');
  span?.end();
}

process.on('message', async (calls: number) => {
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n++) {
    call(n);
    // Lets the exporter work, as the requests of clients do.
    if (n % 32 === 31) await new Promise(setImmediate);
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / calls);
});
process.send?.('ready');
