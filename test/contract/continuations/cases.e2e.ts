import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { connect } from '../../plugins/mcp/support/client.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { randomNumbers } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { answerIn, type Call, follow } from './follow.ts';

type Output = Readonly<Record<string, unknown>>;

const random = randomNumbers(7);
const countries = Array.from({ length: 249 }, (_, row) =>
  [row, ...Array.from({ length: 40 }, () => random().toString(36).slice(2))].join(','),
);
const csv = `number,${Array.from({ length: 40 }, (_, column) => `column_${column}`).join(',')}\n${countries.join('\n')}\n`;

/** Outputs as a model is shown them, with the limits as they are configured. */
async function asModel(): Promise<{ readonly folder: string; readonly call: Call }> {
  const folder = await temporaryFolder();
  const { kernel } = await coreToolkit({ roots: [folder] });
  const { call } = await connect(kernel);
  const shown: Call = async (tool, parameters) => {
    const { content, isError } = await call(tool, parameters);
    const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n');
    return isError === true ? Promise.reject(new Error(text)) : text;
  };
  return { folder, call: shown };
}

describe('an answer that is too long, with the limits as they are', () => {
  it('of fs_read_file goes on where what was sent ends, in a JSON file of 1.4 MB', async () => {
    const { folder, call } = await asModel();
    const movies = Array.from({ length: 11_800 }, (_, id) => ({
      id,
      title: `Movie ${id} "é"`,
      tags: [random().toString(36), random().toString(36)],
    }));
    const text = JSON.stringify(movies, null, 2);
    expect(text.length).to.be.above(1_300_000);
    await writeFile(path.join(folder, 'movies.json'), text);
    const { output } = answerIn(await call('fs_read_file', { path: 'movies.json' })) as { output: Output };
    expect(output['next_offset']).to.equal(Buffer.byteLength(String(output['content'])));
    expect(output['truncated']).to.equal(true);
    const all = await follow(call, 'fs_read_file', { path: 'movies.json' });
    expect(all.map((one) => (one.output as Output)['content']).join('') === text).to.equal(true);
  });

  it('of convert_csv_to_json says so, and gives each row once', async () => {
    const { call } = await asModel();
    const { output } = answerIn(await call('convert_csv_to_json', { text: csv })) as { output: Output };
    expect(output).to.deep.include({ truncated: true, next_offset: (output['rows'] as unknown[]).length });
    const all = await follow(call, 'convert_csv_to_json', { text: csv });
    const numbers = all.flatMap((one) => ((one.output as Output)['rows'] as { number: number }[]).map(({ number }) => number));
    expect(numbers).to.deep.equal(Array.from({ length: 249 }, (_, row) => row));
  });

  it('of system_execute says so, and is read on by a tool, which also finds lines', async () => {
    const { call } = await asModel();
    const program = 'for (let n = 0; n < 20000; n++) console.log("line " + n + " of the log")';
    const parameters = { command: process.execPath, arguments: ['-e', program], _toolkit_approved: true };
    const { note = '', output } = answerIn(await call('system_execute', parameters)) as { note?: string; output: Output };
    expect(output['truncated']).to.equal(true);
    const [, id] = /toolkit_get_output \{"id":"([^"]+)"/.exec(note) ?? [];
    const found = answerIn(await call('toolkit_get_output', { id, pattern: 'line 19999 ' })).output as Output;
    expect(found['matches']).to.deep.equal([{ at: '/stdout', line: 20_000, column: 1, text: 'line 19999 of the log' }]);
    const [all] = await follow(call, 'system_execute', parameters);
    expect(all?.output).to.have.property('stdout', Array.from({ length: 20_000 }, (_, n) => `line ${n} of the log\n`).join(''));
  });
});
