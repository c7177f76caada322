/** A server that makes the calls that it is told of, until it is killed: `{ tool, name }` in, `{ name, end }` out. */
import { createKernel, ToolkitError } from '../../../kernel/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

const [tools = '', url = ''] = process.argv.slice(2);

// The clock of a machine that is ahead, or behind.
const now = Date.now;
const aheadMs = Number(process.env['TOOLKIT_CLOCK_AHEAD_MS'] ?? 0);
Date.now = () => now() + aheadMs;

process.on('disconnect', () => process.exit());
const kernel = await createKernel({
  logger: memoryLogger(),
  plugins: [standard({ toolPaths: [tools], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }), storePostgres({ url })],
});

process.on('message', ({ tool, name }: { readonly tool: string; readonly name: string }) => {
  kernel
    .execute(tool, { name }, { once: name })
    .then(() => 'done')
    .catch((error: unknown) => (ToolkitError.is(error) ? (error.retryable ? 'AGAIN' : error.code) : String(error)))
    .then((end) => process.send?.({ name, end }))
    .catch(() => {});
});
if (process.connected) process.send?.('ready');
else process.exit();
