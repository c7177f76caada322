/** Prints the milliseconds of processor time that the official client spends on its first list, which it is sent from the file named first. */
import { readFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';

const tools = await readFile(process.argv[2] ?? '', 'utf8');
const answers = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}',
  'tools/list': tools,
};

const transport = {
  start: async () => {},
  close: async () => {},
  async send({ id, method }) {
    if (id !== undefined) this.onmessage(deserializeMessage(`{"jsonrpc":"2.0","id":${id},"result":${answers[method]}}`));
  },
};

const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(transport);
const before = process.cpuUsage();
await client.listTools();
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1000}\n`);
