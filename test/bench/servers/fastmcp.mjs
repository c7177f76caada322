// FastMCP (npm) with the tool of bare-stdio.mjs. `stdio`, or `http <port>`.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// It is installed in a folder of its own: nobody else needs it.
const from = createRequire(`${process.env.BENCH_PACKAGES}/package.json`);
const { FastMCP } = await import(pathToFileURL(from.resolve('fastmcp')).href);
const { z } = await import(pathToFileURL(from.resolve('zod')).href);

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'crypto_hash',
  description: 'Computes the SHA-256 digest of a text.',
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => JSON.stringify({ digest: createHash('sha256').update(text).digest('hex') }),
});
const [transport, port] = process.argv.slice(2);
if (transport === 'stdio') await server.start({ transportType: 'stdio' });
else await server.start({ transportType: 'httpStream', httpStream: { port: Number(port), host: '127.0.0.1' } });
if (transport !== 'stdio') process.stdout.write(`${port}\n`);
