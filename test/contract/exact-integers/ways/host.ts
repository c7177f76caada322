import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { start as startProgram } from '../../../e2e/program.ts';
import type { Way } from '../way.ts';

const definition = {
  name: 'thing',
  description: 'A thing.',
  risk: 'low',
  parameters: { id: { type: 'integer', required: true } },
  execution: { type: 'client' },
  output_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
};

export const way: Way = {
  name: 'through toolkit host: a call, a function of the client and their answers',
  async start() {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-integers-'));
    const { child, exit } = startProgram(['host'], { cwd: folder });
    const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]();
    const say = (text: string): void => void child.stdin?.write(`{"jsonrpc":"2.0",${text}}\n`);
    /** The next line that fits, as it is written. */
    const hear = async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error('the host has ended');
        const found = pattern.exec(value as string);
        if (found !== null) return found;
        if (/"error"/.test(value as string)) throw new Error(value as string);
      }
    };
    const options = JSON.stringify({ protocol: 1, client: { name: 'integers', version: '1' }, options: { includeCore: false } });
    say(`"id":1,"method":"initialize","params":${options}`);
    await hear(/"id":1,/);
    say(`"id":2,"method":"functions/add","params":{"functions":[${JSON.stringify(definition)}]}`);
    await hear(/"id":2,/);
    let id = 2;
    return {
      async carry(digits) {
        id += 1;
        say(`"id":${id},"method":"tools/call","params":{"name":"thing","parameters":{"id":${digits}}}`);
        const [, asked, taken] = await hear(/^\{"jsonrpc":"2\.0","id":(\d+),"method":"functions\/run",.*"parameters":\{"id":([^}]*)\}/);
        say(`"id":${asked},"result":{"output":{"id":${taken}}}`);
        const [, given = ''] = await hear(new RegExp(`"id":${id},"result":\\{"output":\\{"id":"?([^"}]*)"?\\}`));
        return [...new Set([taken, given])].join(' and ');
      },
      async stop() {
        child.stdin?.end();
        await exit;
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
