import { realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../../kernel/index.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { readPolicyFile } from '../../../../plugins/policy-rules/policy-file.ts';
import { EnvFile } from '../../../../plugins/secrets-dotenv/env-file.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { loadConfig } from '../../../../plugins/toolkit/config/load-config.ts';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { loopback } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { httpTool } from '../../executor-http/http-tool.ts';

const mark = '\uFEFF';

/** `Grüße`, of which the `ü` is in Latin-1. */
const damaged = Buffer.concat([Buffer.from('Gr\xfc', 'latin1'), Buffer.from('ße')]);

const definition = { name: 'say', description: 'Says.', execution: { type: 'command', command: process.execPath, args: ['-v'] } };

async function fileWith(name: string, bytes: Buffer | string): Promise<string> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, bytes);
  return file;
}

/** Files that operators write, each with its reader; the result is the value, or the message of the refusal. */
const read: Readonly<Record<string, { readonly name: string; readonly text: string; readonly of: (file: string) => Promise<unknown> }>> = {
  'a definition': {
    name: 'say.yaml',
    text: JSON.stringify(definition),
    async of(file) {
      const kernel = await bareKernel({
        plugins: [toolFiles({ toolPaths: [path.dirname(file)] }), executorCommand()],
        logger: memoryLogger(),
      });
      const problem = kernel.registry.problems.find(({ severity }) => severity === 'error');
      if (problem !== undefined) throw new Error(`${problem.file}: ${problem.message}`);
      return [...kernel.registry.tools.keys()];
    },
  },
  'a skill': {
    name: 'SKILL.md',
    text: '---\nname: skill\ndescription: Does.\n---\ntext',
    async of(file) {
      const kernel = await bareKernel({
        plugins: [toolFiles({ toolPaths: [path.dirname(file)] })],
        logger: memoryLogger(),
      });
      const problem = kernel.registry.problems.find(({ severity }) => severity === 'error');
      if (problem !== undefined) throw new Error(`${problem.file}: ${problem.message}`);
      return [...kernel.registry.skills.values()].map(({ text }) => text.slice(0, 3));
    },
  },
  'a policy': { name: 'policy.yaml', text: 'rules: []\n', of: (file) => readPolicyFile(file).then((policy) => policy?.rules) },
  'a configuration in JSON': { name: 'toolkit.json', text: '{"plugins":[]}', of: (file) => configured(file) },
  'a configuration in YAML': { name: 'toolkit.yaml', text: 'plugins: []\n', of: (file) => configured(file) },
  'an environment file': {
    name: '.env',
    text: 'NAME=value\n',
    of: (file) => new EnvFile({ path: file, isRequired: true, env: {}, logger: memoryLogger() }).read(true).then((values) => [...values]),
  },
};

async function configured(file: string): Promise<unknown> {
  const none = async (): Promise<undefined> => undefined;
  const loaded = await loadConfig({ cwd: path.dirname(file), file, modules: async () => ({}), builtInPlugin: none });
  return loaded?.config.plugins?.length;
}

describe('a file of the operator', () => {
  for (const [what, { name, text, of }] of Object.entries(read)) {
    it(`means the same with a byte order mark: ${what}`, async () => {
      expect(await of(await fileWith(name, mark + text))).to.deep.equal(await of(await fileWith(name, text)));
    });

    it(`is refused with file and byte where it is not UTF-8: ${what}`, async () => {
      const file = await fileWith(name, Buffer.concat([Buffer.from(`${text}\n# `), damaged]));
      const error = await of(file).then(
        (value) => expect.fail(`accepted as ${JSON.stringify(value)}`),
        (thrown: Error) => thrown,
      );
      expect(error.message)
        .to.include(file)
        .and.to.include(`(byte ${Buffer.byteLength(text) + 5})`);
    });
  }
});

describe('an answer whose bytes are not UTF-8', () => {
  let toolkit: Toolkit;
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger(), allowHosts: ['127.0.0.1'], roots: [await realpath(os.tmpdir())] });
  });
  after(() => toolkit.close());

  const served = async (type: string, bytes: Buffer = damaged): Promise<string> =>
    (await loopback((_, response) => void response.writeHead(200, { 'content-type': type }).end(bytes))).url;

  const page = Buffer.concat([Buffer.from('<html><head><title>T</title></head><body><p>'), damaged, Buffer.from('</p></body></html>')]);
  const feed = Buffer.concat([Buffer.from('<rss version="2.0"><channel><title>'), damaged, Buffer.from('</title></channel></rss>')]);

  const rows: readonly { readonly of: string; readonly output: () => Promise<unknown> }[] = [
    { of: 'web_fetch', output: async () => toolkit.execute('web_fetch', { url: await served('text/plain; charset=utf-8') }) },
    {
      of: 'web_request',
      output: async () => toolkit.execute('web_request', { method: 'GET', url: await served('text/plain; charset=utf-8') }),
    },
    {
      of: 'web_extract_links',
      output: async () => toolkit.execute('web_extract_links', { url: await served('text/html; charset=utf-8', page) }),
    },
    {
      of: 'web_read_feed',
      output: async () => toolkit.execute('web_read_feed', { url: await served('application/rss+xml; charset=utf-8', feed) }),
    },
    {
      of: 'system_execute',
      output: () =>
        toolkit.execute('system_execute', {
          command: process.execPath,
          arguments: ['-e', `process.stdout.write(Buffer.from('${damaged.toString('hex')}', 'hex'))`],
        }),
    },
  ];
  for (const { of, output } of rows) {
    it(`counts in the result of ${of} what was replaced`, async () => {
      expect(await output()).to.have.property('replaced', 1);
    });
  }

  it('counts in the facts about an http tool what was replaced, and says so to a model', async () => {
    const call = await httpTool({
      execution: { url: await served('application/json', Buffer.concat([Buffer.from('"'), damaged, Buffer.from('"')])) },
    });
    const { output, meta, content } = await call();
    expect(output).to.equal('Gr\uFFFDße');
    expect(meta).to.include({ replaced: 1 });
    expect(content?.at(-1)).to.deep.equal({
      type: 'text',
      text: '(1 character U+FFFD of this stand in place of bytes that were not UTF-8.)',
    });
  });

  it('takes a byte order mark of an http answer, a program and a file for no part of the text', async () => {
    const marked = Buffer.from(`${mark}{"a":1}`);
    const call = await httpTool({ execution: { url: await served('application/json', marked) } });
    expect((await call()).output).to.deep.equal({ a: 1 });
    const printing = ['-e', `process.stdout.write(Buffer.from('${marked.toString('hex')}', 'hex'))`];
    expect(await toolkit.execute('system_execute', { command: process.execPath, arguments: printing })).to.include({ stdout: '{"a":1}' });
  });

  it('counts for each command tool what was replaced, whichever way its output is read', async () => {
    const code = `process.stdout.write(Buffer.from('${damaged.toString('hex')}', 'hex'))`;
    for (const [parse, output] of [
      ['text', 'Gr\uFFFDße'],
      ['lines', ['Gr\uFFFDße']],
    ] as const) {
      const folder = await temporaryFolder({
        'say.yaml': JSON.stringify({ ...definition, execution: { ...definition.execution, args: ['-e', code], parse } }),
      });
      const kernel = await bareKernel({ plugins: [toolFiles({ toolPaths: [folder] }), executorCommand()], logger: memoryLogger() });
      const result = await kernel.call({ tool: 'say' });
      expect(result.output).to.deep.equal(output);
      expect(result.meta as JsonObject).to.include({ replaced: 1 });
    }
  });
});
