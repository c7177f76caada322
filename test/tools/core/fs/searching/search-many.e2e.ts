import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject, LaunchedProgram } from '../../../../../kernel/index.ts';
import { listCandidates } from '../../../../../tools/core/fs/searching/ripgrep-candidates.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { asNobody } from '../as-nobody.ts';
import { sharedToolkit } from '../shared-toolkit.ts';

interface Found {
  readonly matches?: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly files?: readonly string[];
  readonly counts?: readonly { readonly path: string; readonly lines: number }[];
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly unreadable?: unknown;
}

/** More files than are read without ripgrep. */
const names = Array.from({ length: 900 }, (_, number) => `part-${number % 30}/${number % 4 === 0 ? '.' : ''}file-${number}.txt`);

const content = (number: number): string => `first line\n${number % 30 === 0 ? `needle ${number}\nand needle again\n` : ''}last line\n`;

async function manyFiles(): Promise<string> {
  const folder = await temporaryFolder(Object.fromEntries(names.map((name, number) => [name, content(number)])));
  await writeFile(path.join(folder, '.gitignore'), '*\n');
  await writeFile(path.join(folder, '.env'), 'needle=secret\n');
  await writeFile(path.join(folder, 'part-0/binary'), 'needle\0');
  return folder;
}

const logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

describe('fs_search in a tree of many files', () => {
  const shared = sharedToolkit();
  const search = (folder: string, parameters: JsonObject): Promise<Found> =>
    shared.toolkit.execute('fs_search', { path: folder, max_results: 5000, ...parameters }) as unknown as Promise<Found>;

  const grepped = (folder: string, ...args: readonly string[]): readonly string[] =>
    execFileSync('grep', [...args, '--exclude=.env', '.'], { cwd: folder, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.slice(2));

  /** By ripgrep; by our reader alone, because the pattern may match nothing where ripgrep is asked; and with a glob that is not its. */
  const ways: readonly JsonObject[] = [
    { pattern: 'needle' },
    { pattern: 'needle|(?:x*)y?z{0}needle' },
    { pattern: 'needle', glob: '**/*' },
    { pattern: 'n\\w+(?!z)e' },
  ];
  for (const way of ways)
    it(`finds what grep finds, also in hidden and ignored files, and nothing in secrets: ${JSON.stringify(way)}`, async () => {
      const folder = await manyFiles();
      const { matches = [], truncated } = await search(folder, way);
      const lines = matches.map(({ path: file, line, text }) => `${file}:${line}:${text}`);
      expect(lines).to.have.members(grepped(folder, '-rIn', 'needle'));
      expect(matches.map((match) => match.path)).to.deep.equal(matches.map((match) => match.path).sort());
      expect(truncated).to.equal(false);
      expect(matches[0]).to.not.have.any.keys('before', 'after');
    });

  it('lists the files alone, or counts their lines', async () => {
    const folder = await manyFiles();
    const files = grepped(folder, '-rIl', 'needle');
    expect(await search(folder, { pattern: 'needle', output: 'files' })).to.deep.equal({ files: [...files].sort(), truncated: false });
    const { counts = [] } = await search(folder, { pattern: 'needle', output: 'counts' });
    expect(counts.map(({ path: file, lines }) => `${file}:${lines}`)).to.have.members(
      grepped(folder, '-rIc', 'needle').filter((line) => !line.endsWith(':0')),
    );
    expect(await search(folder, { pattern: 'nowhere', output: 'counts' })).to.deep.equal({ counts: [], truncated: false });
  });

  for (const output of ['matches', 'files', 'counts'] as const)
    it(`goes on by next_offset until there is no more, with output ${output}`, async () => {
      const folder = await manyFiles();
      const whole = await search(folder, { pattern: 'needle', output });
      const parts: unknown[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const part: Found = await search(folder, { pattern: 'needle', output, max_results: 7, offset });
        parts.push(...(part[output] ?? []));
        expect(part.truncated).to.equal(part.next_offset !== undefined);
        offset = part.next_offset;
      }
      expect(parts).to.deep.equal(whole[output]);
    });

  it('names what could not be read', async () => {
    const folder = await manyFiles();
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    await chmod(path.join(folder, 'part-3/file-3.txt'), 0);
    await chmod(path.join(folder, 'part-5'), 0);
    await search(folder, { pattern: 'x' });
    const { unreadable } = await asNobody(() => search(folder, { pattern: 'needle' }));
    await chmod(path.join(folder, 'part-5'), 0o755);
    expect(unreadable).to.deep.equal({ count: 2, paths: ['part-3/file-3.txt', 'part-5'] });
  });

  /** Programs in the place of ripgrep, and what they leave of its answer. */
  const programs: readonly { readonly what: string; readonly script: string; readonly names: readonly string[] | undefined }[] = [
    { what: 'says something else', script: 'echo "rg: help" >&2; exit 2', names: undefined },
    { what: 'fails without a word', script: 'exit 2', names: undefined },
    { what: 'is killed', script: 'kill -9 $$', names: undefined },
    { what: 'ends with another number', script: 'exit 127', names: undefined },
    { what: 'names nothing', script: 'exit 1', names: [] },
    {
      what: 'cannot read a file',
      script: String.raw`printf './a\0'; echo "rg: ./b: c: Permission denied (os error 13)" >&2; exit 2`,
      names: ['a', 'b: c'],
    },
  ];
  for (const { what, script, names: expected } of programs)
    it(`reads ${expected === undefined ? 'every file' : 'the candidates'} where the program ${what}`, async () => {
      const launch = async ({ env, cwd }: { env: Readonly<Record<string, string>>; cwd: string }): Promise<LaunchedProgram> =>
        ({ program: '/bin/sh', args: ['-c', script], env, cwd, ended: async () => undefined }) as unknown as LaunchedProgram;
      const request = { folder: await temporaryFolder(), pattern: 'x', globs: [] };
      expect(await listCandidates(request, { signal: new AbortController().signal, launch, logger })).to.deep.equal(expected);
    });

  it('gives the program no variable but those that programs need', async () => {
    const seen: Readonly<Record<string, string>>[] = [];
    process.env['RIPGREP_CONFIG_PATH'] = '/nowhere';
    const launch = async ({ env, cwd }: { env: Readonly<Record<string, string>>; cwd: string }): Promise<LaunchedProgram> => {
      seen.push(env);
      return { program: '/bin/true', args: [], env, cwd, ended: async () => undefined } as unknown as LaunchedProgram;
    };
    await listCandidates(
      { folder: await temporaryFolder(), pattern: 'x', globs: [] },
      { signal: new AbortController().signal, launch, logger },
    );
    delete process.env['RIPGREP_CONFIG_PATH'];
    expect(Object.keys(seen[0] ?? {}))
      .to.include('PATH')
      .and.to.not.include('RIPGREP_CONFIG_PATH');
  });

  it('ends the program with the call', async () => {
    const abort = new AbortController();
    const launch = async ({ env, cwd }: { env: Readonly<Record<string, string>>; cwd: string }): Promise<LaunchedProgram> => {
      setImmediate(() => abort.abort(new Error('no longer wanted')));
      return { program: '/bin/sleep', args: ['600'], env, cwd, ended: async () => undefined } as unknown as LaunchedProgram;
    };
    const request = { folder: await temporaryFolder(), pattern: 'x', globs: [] };
    const outcome: unknown = await listCandidates(request, { signal: abort.signal, launch, logger }).catch((error: unknown) => error);
    expect(String(outcome)).to.include('no longer wanted');
  });
});
