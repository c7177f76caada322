import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { forFile } from '../../../e2e/program.ts';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer } from '../attack-server.ts';
import { commandTool, folder, functionTool, held, imports, whatRunsFiles } from './what-runs-files.ts';

const run = promisify(execFile);

/** Code that this process must never say that it ran. */
const evil = 'planted-code-ran';

/** Writes as a model and calls the tool, which must not run that. */
async function withheld(server: AttackServer, tool: string, file: string, content: string, told = file): Promise<void> {
  const written = await server.call('fs_write_file', { path: path.join(server.cwd, file), content, overwrite: true });
  expect(written.isError, written.text).to.equal(false);
  await isWithheld(server, tool, told);
}

async function isWithheld(server: AttackServer, tool: string, file: string): Promise<void> {
  const result = await server.callApproved(tool);
  expect(result).to.include({ isError: true, code: 'APPROVAL_REQUIRED' });
  expect(result.text).to.include(path.basename(file)).and.not.include(evil);
}

async function notWritten(server: AttackServer, file: string, content = ''): Promise<void> {
  const result = await server.call('fs_write_file', { path: path.join(server.cwd, file), content });
  expect(result).to.include({ isError: true, code: 'POLICY_DENIED' });
}

const restarted = new WeakMap<AttackServer, Promise<AttackServer>>();

/** A server on a project in which a model wrote while the one before it ran. */
function afterRestart(server: AttackServer): Promise<AttackServer> {
  const known = restarted.get(server) ?? forFile(() => restart(server));
  restarted.set(server, known);
  return known;
}

async function restart(server: AttackServer): Promise<AttackServer> {
  const manifest = { name: 'a-project', type: 'module', workspaces: ['packages/*'] };
  const first = await server.own({
    'package.json': JSON.stringify(manifest),
    'packages/acme/package.json': '{ "name": "@toolkit/acme" }',
    'packages/acme/acme_tool.yaml': commandTool('acme_tool', 'echo', ['acme']),
    'node_modules/@toolkit/evil/package.json': '{ "name": "@toolkit/evil" }',
    'node_modules/@toolkit/evil/evil_tool.yaml': commandTool('evil_tool', 'echo', [evil]),
    [`${folder}/later.yaml`]: functionTool('later', './later.mjs#run'),
    [`${folder}/later.mjs`]: imports('../../lib/later.mjs'),
    'lib/later.mjs': held('good'),
  });
  await symlink('../../packages/acme', path.join(first.cwd, 'node_modules/@toolkit/acme'));
  const files = {
    'package.json': JSON.stringify({ ...manifest, dependencies: { '@toolkit/evil': '*' } }),
    'lib/later.mjs': held(evil),
  };
  for (const [file, content] of Object.entries(files)) {
    const written = await first.call('fs_write_file', { path: path.join(first.cwd, file), content, overwrite: true });
    expect(written.isError, written.text).to.equal(false);
  }
  return first.again();
}

const attacks: readonly Attack[] = [
  {
    id: 'A8',
    subject: 'import of a JavaScript handler',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran in the server',
    run: (server) => withheld(server, 'runs_js', 'lib/up.mjs', held(evil)),
  },
  {
    subject: 'import of a TypeScript handler',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran in the server',
    run: (server) => withheld(server, 'runs_ts', 'lib/typed.ts', held(evil)),
  },
  {
    subject: 'import of a handler in a thread',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran in a thread',
    run: (server) => withheld(server, 'runs_thread', 'lib/threaded.mjs', held(evil)),
  },
  {
    id: 'A9',
    subject: 'import of a Python handler',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran',
    run: (server) => withheld(server, 'runs_py', 'lib/python/held.py', `VALUE = "${evil}"\n`),
  },
  {
    subject: 'compiled code beside a Python module',
    attempt: 'is written for a source that nobody changed',
    before: 'written; Python runs it where time and size of the source match',
    run: (server) => notWritten(server, 'lib/python/__pycache__/held.cpython-311.pyc'),
  },
  {
    id: 'A10',
    subject: 'script in the arguments of a command',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran',
    run: (server) => withheld(server, 'runs_script', 'scripts/rep.py', `print("${evil}")\n`),
  },
  {
    subject: 'module that a script looks for beside itself',
    attempt: 'is written there, before the installed one',
    before: 'the new code ran',
    run: (server) => notWritten(server, 'scripts/own/yaml.py', `print("${evil}")\n`),
  },
  {
    subject: 'module that an installed one looks for beside a script',
    attempt: 'runs what a model wrote under its name',
    before: 'the new code ran',
    run: (server) => withheld(server, 'runs_names', 'scripts/own/enum.py', `print("${evil}")\n`, 'scripts/own'),
  },
  {
    subject: 'module of python3 -m',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran',
    run: (server) => withheld(server, 'runs_module', 'reports/monthly.py', `print("${evil}")\n`),
  },
  {
    subject: 'import of a script for node',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran',
    run: (server) => withheld(server, 'runs_node', 'scripts/part.mjs', held(evil)),
  },
  {
    subject: 'import of a parse module',
    attempt: 'runs what a model wrote in its place',
    before: 'the new code ran in the server',
    run: (server) => withheld(server, 'runs_parse', 'lib/parsed.mjs', held(evil)),
  },
  {
    id: 'A11',
    subject: 'imports of package.json',
    attempt: 'lead to what a model wrote',
    before: 'the new code ran in the server',
    async run(server) {
      await server.call('fs_write_file', { path: path.join(server.cwd, 'app/evil.mjs'), content: held(evil) });
      await withheld(server, 'runs_hash', 'app/package.json', '{ "type": "module", "imports": { "#up": "./evil.mjs" } }');
    },
  },
  {
    subject: 'paths of tsconfig.json',
    attempt: 'lead to what a model wrote',
    before: 'held: the compiler did not look at them',
    run: (server) => withheld(server, 'runs_paths', 'typed/tsconfig.json', '{ "compilerOptions": { "paths": { "./up": ["./evil"] } } }'),
  },
  {
    subject: 'extension that an import leaves out',
    attempt: 'is that of a file which a model wrote',
    before: 'written; the compiler takes it first',
    run: (server) => notWritten(server, 'typed/up.mjs', held(evil)),
  },
  {
    subject: 'nearer node_modules',
    attempt: 'gets a package that runs in place of the installed one',
    before: 'held',
    run: (server) => notWritten(server, 'app/node_modules/toolkit-plugin-trace/index.js', held(evil)),
  },
  {
    id: 'A13',
    subject: 'entry file before its first call',
    attempt: 'runs what another process made of it',
    before: 'the new code ran in the server',
    async run(server) {
      await writeFile(path.join(server.cwd, folder, 'entry.mjs'), `export const run = () => '${evil}';\n`);
      await isWithheld(server, 'runs_entry', 'entry.mjs');
    },
  },
  {
    subject: 'git switch',
    attempt: 'brings another import, which then runs',
    before: 'the new code ran in the server',
    async run(server) {
      const git = (...args: string[]) =>
        run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: server.cwd });
      const file = path.join(server.cwd, 'lib/switched.mjs');
      await git('add', 'lib/switched.mjs');
      await git('commit', '-q', '-m', 'Good');
      await git('switch', '-q', '-c', 'other');
      await writeFile(file, held(evil));
      await git('commit', '-q', '-a', '-m', 'Other');
      await git('switch', '-q', 'main');
      const switched = await server.callApproved('git_switch', { repository: server.cwd, branch: 'other' });
      expect(switched.isError, switched.text).to.equal(false);
      await isWithheld(server, 'runs_switched', 'switched.mjs');
    },
  },
  {
    id: 'A7',
    subject: 'package of the workspace',
    attempt: 'gets a tool that is offered after a restart',
    before: 'written; offered and run unasked after a restart',
    async run(server) {
      const after = await afterRestart(server);
      await notWritten(after, 'packages/acme/acme_second.yaml', commandTool('acme_second', 'id', []));
      await notWritten(after, 'packages/acme/acme_tool.yaml', commandTool('acme_tool', 'id', []));
    },
  },
  {
    subject: 'provider file of a workspace package',
    attempt: 'is written beside its tools',
    before: 'written',
    run: async (server) => notWritten(await afterRestart(server), 'packages/acme/definition.yaml'),
  },
  {
    subject: 'skill of a workspace package',
    attempt: 'is written beside its tools',
    before: 'written',
    run: async (server) => notWritten(await afterRestart(server), 'packages/acme/SKILL.md'),
  },
  {
    subject: 'link in node_modules',
    attempt: 'leads to a package that a model then writes into',
    before: 'written',
    run: async (server) => notWritten(await afterRestart(server), 'node_modules/@toolkit/acme/acme_third.yaml'),
  },
  {
    id: 'A12',
    subject: 'dependency that a model named',
    attempt: 'offers its tools after a restart',
    before: 'its tools were offered after a restart',
    async run(server) {
      const calling = (await afterRestart(server)).callApproved('evil_tool');
      const error: unknown = await calling.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).to.include('There is no tool "evil_tool"');
    },
  },
  {
    subject: 'restart after a write',
    attempt: 'makes callable what a model wrote before',
    before: 'the new code ran',
    run: async (server) => isWithheld(await afterRestart(server), 'later', 'later.mjs'),
  },
];

export const whatRuns: AttackKind = {
  rule: 'what runs is what somebody has seen',
  files: whatRunsFiles,
  attacks,
};
