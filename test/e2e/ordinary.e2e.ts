import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { loopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { textOf } from './program.ts';
import { project } from './project.ts';
import { transports } from './transports.ts';

const run = promisify(execFile);

/** A project as many are: with packages, secrets, tools of its own and a policy, none of which the work is about; and a remote that is ahead. */
async function workplace(): Promise<string> {
  const cwd = await project({
    'src/app.ts': "export const greet = (who: string) => 'Hello ' + who;\nexport const answer = 41;\n",
    'src/old.ts': '// to be moved\n',
    'docs/guide.md': '# Guide\n\nTODO: write it\n',
    '.env': 'API_TOKEN=planted-secret\n',
    '.env.example': 'API_TOKEN=\n',
    '.gitignore': 'node_modules/\nbackup/\nbuild/\n.env\nmy-tools/\npolicy.yaml\n',
    'toolkit.config.mjs': `import { defineConfig, standard } from '@toolkit/core';
      export default defineConfig({ plugins: [standard({ toolPaths: ['./my-tools'], allowHosts: ['127.0.0.1'] })] });`,
    'policy.yaml': 'default: { low: allow, medium: allow, high: allow }\n',
  });
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.org', ...args], { cwd });
  await git('config', 'user.name', 'Ada Lovelace');
  await git('config', 'user.email', 'ada@example.org');
  await git('add', 'src', 'docs', '.gitignore', '.env.example', 'package.json');
  await git('commit', '-q', '-m', 'Add the code');
  const remote = path.join(cwd, 'backup/origin.git');
  await git('clone', '-q', '--bare', '.', remote);
  await git('remote', 'add', 'origin', remote);
  const other = await temporaryFolder();
  await run('git', ['clone', '-q', remote, other]);
  await writeFile(path.join(other, 'docs/more.md'), '# More\n');
  await run('git', ['-C', other, 'add', '.']);
  await run('git', ['-C', other, '-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', 'commit', '-q', '-m', 'More docs']);
  await run('git', ['-C', other, 'push', '-q']);
  await git('fetch', '-q');
  await git('branch', '-q', '--set-upstream-to=origin/main', 'main');
  return cwd;
}

async function archive(): Promise<Buffer> {
  const folder = await temporaryFolder({ 'lib/README.md': '# A library\n', 'lib/src/index.js': 'export default 1;\n' });
  await run('zip', ['-q', '-r', 'lib.zip', 'lib'], { cwd: folder });
  return readFile(path.join(folder, 'lib.zip'));
}

const patch = ['--- a/src/app.ts', '+++ b/src/app.ts', '@@ -2 +2 @@', '-export const answer = 41;', '+export const answer = 42;', ''].join(
  '\n',
);

/** Each with what its answer holds. */
const calls = (url: string): readonly (readonly [string, Record<string, unknown>, RegExp])[] => [
  ['fs_tree', { path: '.', depth: 2 }, /app\.ts/],
  ['fs_list_directory', { path: 'src' }, /old\.ts/],
  ['fs_find', { path: '.', pattern: '**/*.ts' }, /src\/app\.ts/],
  ['fs_read_file', { path: 'src/app.ts' }, /greet/],
  ['fs_read_file', { path: '.env.example' }, /API_TOKEN=/],
  ['fs_read_lines', { path: 'src/app.ts', start: 2, end: 2 }, /41/],
  ['fs_read_many', { paths: ['package.json', 'docs/guide.md'] }, /a-project/],
  ['fs_search', { path: '.', pattern: 'TODO' }, /guide\.md/],
  ['fs_stat', { path: 'package.json' }, /"type":"file"/],
  ['fs_apply_patch', { root: '.', patch }, /app\.ts/],
  ['fs_edit_file', { path: 'docs/guide.md', edits: [{ old_text: 'TODO: write it', new_text: 'Written.' }] }, /guide\.md/],
  ['fs_write_file', { path: 'src/new/feature.ts', content: 'export {};\n', create_directories: true }, /feature\.ts/],
  ['fs_append_file', { path: 'src/new/feature.ts', content: '// more\n' }, /feature\.ts/],
  ['fs_make_directory', { path: 'build/output' }, /output/],
  ['fs_copy', { source: 'src/new', destination: 'build/new', recursive: true }, /build\/new/],
  ['fs_move', { source: 'src/old.ts', destination: 'src/renamed.ts' }, /renamed\.ts/],
  ['fs_compare_files', { left: 'src/new/feature.ts', right: 'build/new/feature.ts' }, /true/],
  ['fs_hash_file', { path: 'src/app.ts' }, /[0-9a-f]{64}/],
  ['fs_create_temp', {}, /path/],
  ['git_status', {}, /renamed\.ts/],
  ['git_diff', {}, /42/],
  ['git_create_branch', { name: 'feature' }, /feature/],
  ['git_switch', { branch: 'feature' }, /feature/],
  ['git_add', { paths: ['src', 'docs'] }, /app\.ts/],
  ['git_commit', { message: 'The answer is 42' }, /"hash"/],
  ['git_log', { max_count: 1 }, /The answer is 42/],
  ['git_switch', { branch: 'main' }, /main/],
  ['git_pull', {}, /./],
  ['web_fetch', { url: `${url}/page` }, /A page/],
  ['web_download', { url: `${url}/lib.zip`, path: 'vendor/lib.zip' }, /lib\.zip/],
  ['archive_list', { path: 'vendor/lib.zip' }, /README\.md/],
  ['archive_zip_extract', { path: 'vendor/lib.zip', destination: 'vendor' }, /README\.md/],
  ['archive_tar_create', { paths: ['src', 'docs'], destination: 'build/src.tar.gz' }, /src\.tar\.gz/],
  ['json_query', { data: { a: [1, 2] }, query: '$.a[1]' }, /2/],
];

describe('ordinary work in strict mode', () => {
  for (const [title, connect] of Object.entries(transports))
    it(`asks nobody and refuses nothing, over ${title}`, async () => {
      const zip = await archive();
      const { url } = await loopback(({ url: asked }, response) => {
        if (asked.endsWith('.zip')) response.writeHead(200, { 'content-type': 'application/zip' }).end(zip);
        else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title><p>A page</p>');
      });
      const cwd = await workplace();
      await mkdir(path.join(cwd, 'vendor'));
      const client = await connect(cwd, {}, ['--approval', 'strict']);
      for (const [name, parameters, says] of calls(url)) {
        const shown = textOf(
          await client
            .callTool({ name, arguments: parameters })
            .catch((error: unknown) => ({ isError: true, content: [{ text: `${name}: ${error}` }] })),
        );
        expect(shown, name).to.match(says);
      }
    });
});
