import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { landscape } from './landscape.ts';

const print = 'process.stdout.write(JSON.stringify({ args: process.argv.slice(1), cwd: process.cwd(), env: process.env }))';

/** A command tool that prints what it got. */
const printTool = {
  name: 'print',
  description: 'Prints its arguments and its environment.',
  parameters: {
    file: { type: 'string', path: 'read' },
    files: { type: 'array', items: { type: 'string' }, path: 'read' },
    folder: { type: 'string', path: 'read', default: '.' },
    text: { type: 'string' },
  },
  execution: {
    type: 'command',
    command: process.execPath,
    args: ['-e', print, '--', ['{file}'], ['{files}'], ['--option={file}'], ['{text}']],
    cwd: '{folder}',
    env: { OWN: 'own' },
    parse: 'json',
  },
};

interface Printed {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function printing(): Promise<{ root: string; kernel: Kernel; run: (parameters: Record<string, unknown>) => Promise<Printed> }> {
  const root = path.join(await landscape(), 'root');
  const tools = definePlugin({
    name: 'test-tools',
    apiVersion,
    apply: ({ hooks }) => hooks.discover.tap('test-tools', (sink) => sink.addTool(printTool, { trust: 'operator' })),
  });
  const kernel = await bareKernel({ cwd: root, plugins: [executorCommand(), confinePaths(), tools()] });
  return { root, kernel, run: async (parameters) => (await kernel.execute('print', parameters)) as unknown as Printed };
}

describe('a path that a program is given', () => {
  const words = [
    '-rf',
    '--output=/etc/passwd',
    '-e',
    '--',
    '-',
    '-o/etc/passwd',
    '--eval=1',
    '@file',
    '*',
    ';id',
    '$(id)',
    '`id`',
    '| id',
    '~',
  ];
  for (const word of words) {
    it(`is absolute, so that ${word} is no option and means nothing to a program`, async () => {
      const { root, run } = await printing();
      const place = path.join(root, word);
      const { args } = await run({ file: word, files: [word, 'file.txt'] });
      expect(args).to.deep.equal([place, place, path.join(root, 'file.txt'), `--option=${place}`]);
    });
  }

  for (const folder of ['..', '/', 'link-folder', 'link-dot-dot', '../outside', '/proc/self/root', 'proc-root']) {
    it(`is no place to start it in when it is ${folder}`, async () => {
      const { kernel } = await printing();
      await rejection(kernel.execute('print', { folder }), 'INVALID_PARAMETERS');
    });
  }

  it('starts it in the folder behind a link inside the root', async () => {
    const { root, run } = await printing();
    expect((await run({ folder: 'inner-link' })).cwd).to.equal(path.join(root, 'folder'));
  });

  it('is no shell command, nor is any other argument', async () => {
    const { root, run } = await printing();
    const before = await readdir(root);
    for (const text of ['; touch made', '$(touch made)', '`touch made`', '| touch made', '&& touch made', '\n touch made', '> made']) {
      expect((await run({ text })).args).to.deep.equal([text]);
    }
    expect(await readdir(root)).to.deep.equal(before);
  });
});

describe('the environment of a program', () => {
  const kept = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'SHELL', 'TEMP', 'TMP', 'OWN']);
  const planted = {
    PLANTED: 'planted',
    TOOLKIT_MCP_TOKEN: 'planted',
    AWS_SECRET_ACCESS_KEY: 'planted',
    GITHUB_TOKEN: 'planted',
    HTTPS_PROXY: 'http://user:planted@127.0.0.1:1',
    NODE_OPTIONS: '--no-warnings',
    NODE_EXTRA_CA_CERTS: '/planted',
    LD_LIBRARY_PATH: '/planted',
    GIT_DIR: '/planted',
    SSH_AUTH_SOCK: '/planted',
    XDG_CONFIG_HOME: '/planted',
    path: '/planted',
  };
  const before = { ...process.env };
  beforeEach(() => Object.assign(process.env, planted));
  afterEach(() => {
    for (const name of Object.keys(planted)) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('has no variable of the server but the few that programs need, and those of the definition', async () => {
    const { run } = await printing();
    const { env } = await run({});
    // The mark by which what it leaves running is found.
    expect(Object.keys(env).filter((name) => !kept.has(name))).to.deep.equal(['TOOLKIT_RUN']);
    expect(env).to.include({ OWN: 'own', PATH: process.env['PATH'] });
    expect(JSON.stringify(env)).to.not.include('planted');
  });

  it('is as small for system_execute', async () => {
    const root = path.join(await landscape(), 'root');
    const toolkit = await coreToolkit({ roots: [root] });
    const given = { command: process.execPath, arguments: ['-e', print], environment: { OWN: 'own' } };
    const { stdout } = (await toolkit.execute('system_execute', given)) as { stdout: string };
    const { env, cwd } = JSON.parse(stdout) as Printed;
    expect(Object.keys(env).filter((name) => !kept.has(name))).to.deep.equal(['TOOLKIT_RUN']);
    expect(JSON.stringify(env)).to.not.include('planted');
    expect(cwd).to.equal(root);
  });

  it('leads git to no other repository', async () => {
    const root = path.join(await landscape(), 'root');
    await mkdir(path.join(root, 'plain'));
    const toolkit = await coreToolkit({ roots: [root] });
    await rejection(toolkit.execute('git_log', { repository: 'plain' }), 'INVALID_PARAMETERS');
  });
});
