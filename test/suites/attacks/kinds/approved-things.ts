import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeFiles } from '../../../support/temporary.ts';
import type { Attack, AttackKind } from '../attack.ts';
import { attackOf, isAgain, type Swap } from '../swap.ts';
import { marking, noMark, swappedPrograms } from '../swapped-programs.ts';

const run = promisify(execFile);

/** Asks a person about these calls in every mode, also where a model's word opens the gate. */
const policy = `rules:
  - { match: { tool: "things_*" }, effect: ask }
  - { match: { tool: apiclient_run_collection }, when: 'params.collection_path.contains("/things/")', effect: ask }
  - { match: { tool: [git_push, git_restore] }, when: 'params.repository.contains("/things/")', effect: ask }
  - { match: { tool: system_execute }, when: 'params.working_directory.contains("/things/")', effect: ask }
  - { match: { tool: [fs_delete, fs_replace_in_files] }, when: 'params.path.contains("/things/")', effect: ask }
  - { match: { tool: fs_write_file }, when: 'params.path.contains("/things/asked/")', effect: ask }
  - { match: { tool: [fs_move, fs_copy] }, when: 'params.source.contains("/things/asked/")', effect: ask }
  - { match: { tool: archive_tar_extract }, when: 'params.path.contains("/things/")', effect: ask }
`;

const command = `name: things_print
description: Prints what a script says.
parameters: { script: { type: string, required: true } }
requires_approval: true
execution: { type: command, command: sh, args: ["{script}"], cwd: things/command }
`;

const python = `name: things_pay
description: Pays an order.
parameters: { order: { type: string, required: true, path: read } }
requires_approval: true
execution: { type: function, code: ./things_pay.py }
`;

const pythonCode = 'def run(parameters, context):\n    return {"paid": open(parameters["order"]).read()}\n';

const javaScript = `name: things_send
description: Sends files.
parameters:
  parts: { type: array, items: { type: object, properties: { file: { type: string, path: read } } } }
requires_approval: true
execution: { type: function, code: ./things_send.mjs }
`;

const javaScriptCode = `import { readFileSync } from 'node:fs';
export default ({ parts }) => ({ sent: parts.map(({ file }) => readFileSync(file, 'utf8')) });
`;

const made = (text: string): string =>
  `name: things_made\ndescription: ${text}\nexecution: { type: command, command: echo, args: [made] }\nrisk: low\n`;

const git = async (folder: string, ...args: string[]): Promise<string> => {
  const { stdout } = await run('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
  return stdout.trim();
};

async function repository(folder: string): Promise<void> {
  await git(folder, 'init', '-q', '--template=', '-b', 'main');
  await git(folder, 'config', 'user.name', 'Ada');
  await git(folder, 'config', 'user.email', 'ada@example.org');
  await git(folder, 'add', '.');
  await git(folder, 'commit', '-q', '-m', 'First');
}

const swaps: readonly Swap[] = [
  {
    id: 'A14',
    subject: 'git_push',
    attempt: 'pushes a commit that was made while the person thought',
    before: 'the unseen commit was pushed',
    folder: 'push',
    files: { 'a.txt': 'a' },
    async prepare(folder) {
      await repository(folder);
      await run('git', ['clone', '-q', '--bare', folder, `${folder}.git`]);
      await git(folder, 'remote', 'add', 'origin', `${folder}.git`);
      await git(folder, 'commit', '-q', '--allow-empty', '-m', 'Shown');
    },
    tool: 'git_push',
    parameters: { repository: 'things/push' },
    async swap(_folder, server) {
      for (const [tool, more] of [
        ['fs_write_file', { path: 'things/push/b.txt', content: 'b' }],
        ['git_add', { repository: 'things/push', paths: ['b.txt'] }],
        ['git_commit', { repository: 'things/push', message: 'Unseen' }],
      ] as const)
        expect(await server.call(tool, more)).to.include({ isError: false });
    },
    changed: /changed since your answer: its content \(from refs\/heads\/main at \w{40}: Shown to refs\/heads\/main at \w{40}: Unseen\)/,
    unharmed: async (folder) => expect(await git(`${folder}.git`, 'log', '-1', '--format=%s', 'main')).to.equal('First'),
  },
  {
    id: 'A15',
    subject: 'fs_delete',
    attempt: 'deletes the folder that took the place of the one that was shown',
    before: 'the other folder was deleted',
    folder: 'deleted',
    files: { 'd1/a.txt': 'a', 'd2/b.txt': 'b', 'd2/c.txt': 'c' },
    tool: 'fs_delete',
    parameters: { path: 'things/deleted/d1', recursive: true },
    async swap(_folder, server) {
      for (const [source, destination] of [
        ['d1', 'd0'],
        ['d2', 'd1'],
      ]) {
        const parameters = { source: `things/deleted/${source}`, destination: `things/deleted/${destination}` };
        expect(await server.call('fs_move', parameters)).to.include({ isError: false });
      }
    },
    changed: /its "things\/deleted\/d1" \(from folder \d+ of 1 entry, 1 bytes to folder \d+ of 2 entries, 2 bytes\)/,
    unharmed: async (folder) => expect(await readFile(path.join(folder, 'd1/b.txt'), 'utf8')).to.equal('b'),
  },
  {
    subject: 'a Python handler',
    attempt: 'works on the file that came to its path meanwhile',
    before: 'the new file was paid',
    folder: 'order',
    files: { 'order.json': '{"amount": 1}' },
    tool: 'things_pay',
    parameters: { order: 'things/order/order.json' },
    swap: (folder) => writeFile(path.join(folder, 'order.json'), '{"amount": 9}'),
    changed: /its "things\/order\/order\.json" \(from file of 13 bytes, sha256 \w{12} to file of 13 bytes, sha256 \w{12}\)/,
  },
  {
    subject: 'a JavaScript handler',
    attempt: 'sends a file, named in depth, that was written meanwhile',
    before: 'the new file was sent',
    folder: 'parts',
    files: { 'a.txt': 'a', 'b.txt': 'b' },
    tool: 'things_send',
    parameters: { parts: [{ file: 'things/parts/a.txt' }, { file: 'things/parts/b.txt' }] },
    swap: (folder) => writeFile(path.join(folder, 'b.txt'), 'secret'),
    changed: /its "things\/parts\/b\.txt" \(from file of 1 bytes/,
  },
  {
    subject: 'archive_tar_extract',
    attempt: 'extracts the archive that took the place of the one that was shown',
    before: 'the other archive was extracted',
    folder: 'archive',
    files: { 'good.txt': 'good', 'evil.txt': 'evil' },
    async prepare(folder) {
      await run('tar', ['-cf', 'a.tar', 'good.txt'], { cwd: folder });
      await run('tar', ['-cf', 'b.tar', 'evil.txt'], { cwd: folder });
      await mkdir(path.join(folder, 'out'), { recursive: true });
    },
    tool: 'archive_tar_extract',
    parameters: { path: 'things/archive/a.tar', destination: 'things/archive/out' },
    swap: (folder) => rename(path.join(folder, 'b.tar'), path.join(folder, 'a.tar')),
    changed: /its "things\/archive\/a\.tar"/,
    unharmed: async (folder) => expect(existsSync(path.join(folder, 'out/evil.txt'))).to.equal(false),
  },
  {
    subject: 'fs_move',
    attempt: 'moves a file onto one that came to the destination meanwhile',
    before: 'the other file was replaced',
    folder: 'asked/move',
    files: { 'a.txt': 'a' },
    tool: 'fs_move',
    parameters: { source: 'things/asked/move/a.txt', destination: 'things/asked/move/b.txt', overwrite: true },
    swap: (folder) => writeFile(path.join(folder, 'b.txt'), 'precious'),
    changed: /its "things\/asked\/move\/b\.txt" \(from nothing to file of 8 bytes/,
    unharmed: async (folder) => expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).to.equal('precious'),
  },
  {
    subject: 'fs_copy',
    attempt: 'copies a folder in which a file has changed and kept its size',
    before: 'the changed file was copied',
    folder: 'asked/copy',
    files: { 'from/a.txt': 'shown', 'from/b.txt': 'b' },
    tool: 'fs_copy',
    parameters: { source: 'things/asked/copy/from', destination: 'things/asked/copy/to', recursive: true },
    swap: (folder) => writeFile(path.join(folder, 'from/a.txt'), 'OTHER'),
    changed: /its "things\/asked\/copy\/from" \(folder \d+ of 2 entries, 6 bytes\)/,
    unharmed: async (folder) => expect(existsSync(path.join(folder, 'to'))).to.equal(false),
  },
  {
    subject: 'fs_write_file',
    attempt: 'overwrites what was written to the file meanwhile',
    before: 'what was written meanwhile was lost',
    folder: 'asked/write',
    files: { 'a.txt': 'old' },
    tool: 'fs_write_file',
    parameters: { path: 'things/asked/write/a.txt', content: 'new', overwrite: true },
    swap: (folder) => writeFile(path.join(folder, 'a.txt'), 'precious'),
    changed: /its "things\/asked\/write\/a\.txt"/,
    unharmed: async (folder) => expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('precious'),
  },
  {
    subject: 'git_restore',
    attempt: 'throws away work that was done while the person thought',
    before: 'the work was lost',
    folder: 'restore',
    files: { 'a.txt': 'a' },
    async prepare(folder) {
      await repository(folder);
      await writeFile(path.join(folder, 'a.txt'), 'shown');
    },
    tool: 'git_restore',
    parameters: { repository: 'things/restore', paths: ['.'] },
    swap: (folder) => writeFile(path.join(folder, 'a.txt'), 'precious'),
    changed: /its "a\.txt" \(from file of 5 bytes/,
    unharmed: async (folder) => expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('precious'),
  },
  {
    subject: 'fs_replace_in_files',
    attempt: 'rewrites a file that was added meanwhile',
    before: 'the new file was rewritten',
    folder: 'replace',
    files: { 'a.txt': 'old' },
    tool: 'fs_replace_in_files',
    parameters: { path: 'things/replace', glob: '*.txt', pattern: 'old', replacement: 'new', dry_run: false },
    swap: (folder) => writeFile(path.join(folder, 'b.txt'), 'old, and precious'),
    changed: /its content \(from 1 replacements in 1 files: a\.txt to 2 replacements in 2 files: a\.txt, b\.txt\)/,
    unharmed: async (folder) => expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).to.equal('old, and precious'),
  },
  {
    subject: 'apiclient_run_collection',
    attempt: 'runs a script that was added to the collection meanwhile',
    before: 'the collection with the new script was handed to the runner, which is not installed here',
    folder: 'collection',
    files: {
      'bruno.json': '{ "version": "1", "name": "things", "type": "collection" }',
      'get.bru': 'meta {\n  name: get\n  type: http\n  seq: 1\n}\n\nget {\n  url: http://127.0.0.1:1/\n}\n',
    },
    tool: 'apiclient_run_collection',
    parameters: { collection_path: 'things/collection', sandbox_mode: 'developer' },
    swap: (folder) => writeFile(path.join(folder, 'evil.bru'), 'meta {\n  name: evil\n}\n\nscript:pre-request {\n  process.exit(1)\n}\n'),
    changed: /its "things\/collection" \(from folder \d+ of 2 entries/,
  },
  {
    subject: 'toolkit_create_tool',
    attempt: 'replaces a definition that was written meanwhile',
    before: 'the other definition was replaced',
    folder: 'created',
    files: {},
    prepare: (folder) => rm(path.join(folder, '../../my-tools/made'), { recursive: true, force: true }),
    tool: 'toolkit_create_tool',
    parameters: { yaml: made('Made by a model.'), directory: 'my-tools/made', overwrite: true },
    swap: (folder) => writeFiles(path.join(folder, '../../my-tools/made'), { 'things_made.yaml': made('Made by the operator.') }),
    changed: /its "\S+\/my-tools\/made\/things_made\.yaml" \(from nothing to file of/,
    async unharmed(folder) {
      const file = path.join(folder, '../../my-tools/made/things_made.yaml');
      expect(await readFile(file, 'utf8')).to.include('by the operator');
      await rm(path.dirname(file), { recursive: true });
    },
  },
];

const others: readonly Attack[] = [
  {
    subject: 'the second question',
    attempt: 'changes the thing again while the person thinks again',
    before: 'the second question was never put, and the new script ran',
    async run(server) {
      const folder = path.join(server.cwd, 'things/twice');
      await writeFiles(folder, { 'run.py': 'print("shown")\n' });
      let questions = 0;
      server.answer(async () => {
        await writeFile(path.join(folder, 'run.py'), `${marking}# ${questions++}\n`);
        return { action: 'accept', content: { approve: true } };
      });
      const parameters = { command: 'python3', arguments: ['run.py'], working_directory: 'things/twice' };
      const result = await server.callApproved('system_execute', parameters);
      await noMark(folder);
      expect(result, result.text).to.include({ isError: true, code: 'APPROVAL_DENIED' });
      expect(result.text).to.include('was approved, but not run').and.include('run.py');
    },
  },
  {
    subject: 'toolkit_call_tool',
    attempt: 'deletes through another tool what took the place of the file that was shown',
    before: 'the other file was deleted',
    async run(server) {
      const folder = path.join(server.cwd, 'things/gateway');
      await writeFiles(folder, { 'a.txt': 'a' });
      server.answer(async ({ params: { message } }) => {
        await writeFile(path.join(folder, 'a.txt'), 'precious');
        return { action: 'accept', content: { approve: !isAgain(message) } };
      });
      const given = { path: 'things/gateway/a.txt', ...(server.mode === 'flag' ? { _toolkit_approved: true } : {}) };
      const result = await server.call('toolkit_call_tool', { name: 'fs_delete', arguments: given });
      expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('precious');
      expect(result, result.text).to.include({ isError: true });
      expect(result.text).to.include('APPROVAL_DENIED');
    },
  },
];

export const approvedThings: AttackKind = {
  rule: 'a yes holds for the things that were shown',
  files: {
    'policy.yaml': policy,
    'my-tools/things/things_print.yaml': command,
    'my-tools/things/things_pay.yaml': python,
    'my-tools/things/things_pay.py': pythonCode,
    'my-tools/things/things_send.yaml': javaScript,
    'my-tools/things/things_send.mjs': javaScriptCode,
  },
  attacks: [...[...swaps, ...swappedPrograms].map(attackOf), ...others],
};
