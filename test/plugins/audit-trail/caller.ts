/**
 * A process that makes calls with an audit trail: `caller.ts <file> <calls> <at once>`, or one that does not end: `caller.ts <file> hold`. At the end it writes a line of JSON: how many
 * calls ran, how many were refused, and the last refusal.
 */
import { messageOf } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { createTestKit } from '../../../plugins/toolkit/testing.ts';

const [path = '', calls = '0', atOnce = '1'] = process.argv.slice(2);
let ran = 0;
let refused = 0;
let refusal = '';
const { kernel } = await createTestKit({
  tools: [
    {
      name: 'count',
      description: 'Counts.',
      parameters: { text: { type: 'string' } },
      execution: { type: 'function', handler: () => ++ran },
      risk: 'low',
    },
    {
      name: 'hold',
      description: 'Says that it runs, and never ends.',
      execution: {
        type: 'function',
        handler: () => {
          process.stdout.write('runs\n');
          return new Promise(() => setInterval(() => {}, 60_000));
        },
      },
      risk: 'high',
    },
  ],
  plugins: [auditTrail({ path })],
});

if (calls === 'hold') await kernel.call({ tool: 'hold', caller: 'ci' });
let next = 0;
const worker = async (): Promise<void> => {
  while (next < Number(calls)) {
    try {
      await kernel.execute('count', { text: `call ${next++}` });
    } catch (error) {
      refused++;
      refusal = messageOf(error);
    }
  }
};
await Promise.all(Array.from({ length: Number(atOnce) }, worker));
const close = await kernel.close().then(() => 'clean', messageOf);
process.stdout.write(`${JSON.stringify({ ran, refused, refusal, close })}\n`);
