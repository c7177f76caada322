import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json, loopback } from '../../support/loopback.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { connect, textOf } from '../mcp/support/client.ts';
import { byPath } from './by-path.ts';

const content = 'Größe 世\nzwei\n';
const parameters = `parameters:
  text: { type: string, from: path, required: true }
  value: { type: object, from: path }
`;
const module = 'export const run = (given) => given;\n';

describe('a value that comes by path, in what runs', () => {
  const functions: readonly { what: string; execution: string; files: Readonly<Record<string, string>> }[] = [
    { what: 'a function in the process', execution: '{ type: function, code: ./it.mjs }', files: { 'tools/it.mjs': module } },
    { what: 'a function in a thread', execution: '{ type: function, code: ./it.mjs, worker: true }', files: { 'tools/it.mjs': module } },
    {
      what: 'a function in a child process',
      execution: '{ type: function, code: ./it.mjs, worker: process }',
      files: { 'tools/it.mjs': module },
    },
    {
      what: 'a function in Python',
      execution: '{ type: function, code: ./it.py }',
      files: { 'tools/it.py': 'def run(parameters, context):\n    return parameters\n' },
    },
  ];
  for (const { what, execution, files } of functions)
    it(`is the same as one that was typed: ${what}`, async () => {
      const yaml = `name: own_it\ndescription: It.\n${parameters}execution: ${execution}\n`;
      const cwd = await temporaryFolder({ 'tools/own_it.yaml': yaml, 'a.txt': content, 'a.json': '{"n":[1,{"b":null}]}', ...files });
      const toolkit = await Toolkit.init({ logger: memoryLogger(), cwd, toolPaths: ['tools'], includeCore: false });
      try {
        const typed = await toolkit.execute('own_it', { text: content, value: { n: [1, { b: null }] } });
        expect(await toolkit.execute('own_it', { text_path: 'a.txt', value_path: 'a.json' })).to.deep.equal(typed);
        expect(typed).to.deep.equal({ text: content, value: { n: [1, { b: null }] } });
      } finally {
        await toolkit.close();
      }
    });

  it('reads no other file in the child process of its tool', async () => {
    const yaml = `name: own_it\ndescription: It.\n${parameters}execution: { type: function, code: ./it.mjs, worker: process }\n`;
    const spy =
      "import { readFileSync } from 'node:fs';\nexport const run = ({ text }) => { try { return readFileSync(text, 'utf8'); } catch (error) { return error.code; } };\n";
    const outside = await temporaryFolder({ 'secret.txt': 'planted' });
    const cwd = await temporaryFolder({ 'tools/own_it.yaml': yaml, 'tools/it.mjs': spy, 'a.txt': path.join(outside, 'secret.txt') });
    const toolkit = await Toolkit.init({ logger: memoryLogger(), cwd, toolPaths: ['tools'], includeCore: false });
    try {
      expect(await toolkit.execute('own_it', { text_path: 'a.txt' })).to.equal('ERR_ACCESS_DENIED');
    } finally {
      await toolkit.close();
    }
  });

  it('is the same in the body of a request, and no path is sent', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const tool = {
      parameters: { text: { type: 'string', from: 'path' }, value: { type: 'object', from: 'path' } },
      execution: { type: 'http', method: 'post', url, body: { text: '{text}', value: '{value}' } },
    };
    const { seen } = await byPath({ 'a.txt': content, 'a.json': '{"n":1}' }, { tool, plugins: [executorHttp()] });
    await seen({ text_path: 'a.txt', value_path: 'a.json' });
    expect(requests.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([{ text: content, value: { n: 1 } }]);
  });

  it('is the same in the arguments of a program, where a text must be no option either', async () => {
    const tool = {
      parameters: { text: { type: 'string', from: 'path' } },
      execution: { type: 'command', command: 'printf', args: ['%s', '{text}'], parse: 'text' },
    };
    const { kernel } = await byPath({ 'a.txt': 'zwei', 'b.txt': '--version' }, { tool, plugins: [executorCommand()] });
    expect(await kernel.execute('echo', { text_path: 'a.txt' })).to.equal('zwei');
    const refused: unknown = await kernel.execute('echo', { text_path: 'b.txt' }).catch((error: unknown) => error);
    expect(String(refused)).to.include('option');
  });

  it('is the same for a model over MCP, also through another tool that calls it', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'abc' });
    const toolkit = await Toolkit.init({ logger: memoryLogger(), roots: [folder] });
    try {
      const mcp = await connect(toolkit.kernel);
      const direct = textOf(await mcp.call('crypto_hash', { text_path: 'a.txt', algorithm: 'md5' }));
      expect(direct).to.include('900150983cd24fb0d6963f7d28e17f72');
      const through = await mcp.call('toolkit_call_tool', { name: 'crypto_hash', arguments: { text_path: 'a.txt', algorithm: 'md5' } });
      expect(textOf(through)).to.include('900150983cd24fb0d6963f7d28e17f72');
      await writeFile(path.join(folder, 'b.b64'), Buffer.from('Grüße').toString('base64'));
      const written = { path: 'out.txt', content_path: 'b.b64', encoding: 'base64' };
      expect(textOf(await mcp.call('fs_write_file', written))).to.include('"bytes_written"');
      expect(await readFile(path.join(folder, 'out.txt'), 'utf8')).to.equal('Grüße');
    } finally {
      await toolkit.close();
    }
  });
});
