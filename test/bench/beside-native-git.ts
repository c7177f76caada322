import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { benchFolder, program } from './bench-folder.ts';
import { median, type Row, shown } from './rows.ts';
import { StdioProcess } from './server-process.ts';

/** A tool beside the git that answers the same question. */
interface Pair {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly git: readonly string[];
  /** The ratio that is kept. */
  readonly most: number;
}

const pairs: readonly Pair[] = [
  { tool: 'git_status', given: {}, git: ['status', '--porcelain=v2', '--branch'], most: 1.5 },
  { tool: 'git_log', given: { max_count: 50 }, git: ['log', '--max-count=50', '--format=%H %aN %aE %aI %s %b'], most: 1.5 },
  {
    tool: 'git_log',
    given: { changed_text: 'no such text', revision: 'HEAD~200..HEAD' },
    git: ['log', '-Sno such text', '--format=%H', 'HEAD~200..HEAD'],
    most: 1.5,
  },
  {
    tool: 'git_log',
    given: { path: 'part-7' },
    git: ['log', '--max-count=50', '--format=%H %aN %aE %aI %s %b', '--', 'part-7'],
    most: 1.5,
  },
  { tool: 'git_grep', given: { pattern: 'needle-[0-9]+' }, git: ['grep', '-I', '-n', '-E', 'needle-[0-9]+'], most: 1.5 },
  { tool: 'git_diff', given: {}, git: ['diff'], most: 2 },
  { tool: 'git_diff', given: { from: 'HEAD~20', to: 'HEAD' }, git: ['diff', 'HEAD~20', 'HEAD'], most: 2 },
];

const rounds = 10;
const warmUps = 5;
const files = 10_000;
const commits = 400;

/** Pseudo-random numbers in [0, 1), always the same ones (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const next = numbersFrom(44);
const below = (limit: number): number => Math.floor(next() * limit);
const nameOf = (file: number): string => `part-${file % 100}/folder-${file % 7}/file-${file}.txt`;

function textOf(): string {
  const lines = Array.from({ length: 5 + below(40) }, () => Array.from({ length: 8 }, () => below(1e6).toString(36)).join(' '));
  return `${lines.join('\n')}\n${below(50) === 0 ? `needle-${below(1000)}\n` : ''}`;
}

/** All files in the first commit, some of them changed in each further one, in the language of git fast-import. */
function* history(): Generator<string> {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  for (let commit = 0; commit < commits; commit++) {
    const at = `${1_700_000_000 + commit * 3600} +0000`;
    yield `commit refs/heads/main\nauthor Ada Lovelace <ada@example.com> ${at}\ncommitter Ada Lovelace <ada@example.com> ${at}\n`;
    yield data(`Commit ${commit}\n\n${textOf()}`);
    const changed = commit === 0 ? Array.from({ length: files }, (_, file) => file) : Array.from({ length: 5 }, () => below(files));
    for (const file of new Set(changed)) yield `M 100644 inline ${nameOf(file)}\n${data(textOf())}`;
  }
}

async function git(folder: string, args: readonly string[], stdin?: Iterable<string>): Promise<Buffer> {
  const { PATH = '' } = process.env;
  const child = spawn('git', args, {
    cwd: folder,
    env: { PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  if (stdin !== undefined) child.stdin?.end([...stdin].join(''));
  const [output, [code]] = await Promise.all([buffer(child.stdout as Readable), once(child, 'close')]);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}.`);
  return output;
}

/** A repository of 10,000 files and 400 commits, of which some files are changed, some new and some ignored. */
async function makeRepository(folder: string): Promise<void> {
  await mkdir(folder);
  await git(folder, ['init', '--quiet', '--initial-branch=main']);
  await git(folder, ['fast-import', '--quiet'], history());
  await git(folder, ['reset', '--quiet', '--hard']);
  // The index must be older than what changes, and newer than what it knows: else git reads each file again.
  await wait(1100);
  await git(folder, ['update-index', '-q', '--refresh']);
  for (let file = 0; file < 20; file++) await writeFile(path.join(folder, nameOf(file * 97)), textOf());
  for (let file = 0; file < 5; file++) await writeFile(path.join(folder, `new-${file}.txt`), textOf());
  await writeFile(path.join(folder, '.git/info/exclude'), 'ignored\n');
  await mkdir(path.join(folder, 'ignored'));
  for (let file = 0; file < 50; file++) await writeFile(path.join(folder, 'ignored', `${file}.txt`), textOf());
}

/** What git tools cost on a warm server beside `git` itself, each pair in turns: the middle of ten, by the clock. */
export async function besideNativeGit(): Promise<readonly Row[]> {
  const { cwd, remove } = await benchFolder({
    'toolkit.config.yaml': 'plugins: [[toolkit/standard, { autoDiscover: false, roots: [.] }]]\n',
  });
  const folder = path.join(cwd, 'project');
  await makeRepository(folder);
  const server = new StdioProcess({ args: [program, 'mcp'], cwd });
  try {
    await server.open();
    const rows: Row[] = [];
    for (const pair of pairs) rows.push(await measured(pair, folder, server));
    return rows;
  } finally {
    await server.end();
    await remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured({ tool, given, git: args, most }: Pair, folder: string, server: StdioProcess): Promise<Row> {
  const ask = { repository: folder, ...given };
  const native = { run: (): Promise<unknown> => git(folder, args), times: [] as number[], cpuMs: 0 };
  const tooled = { run: (): Promise<unknown> => server.call(tool, ask), times: [] as number[], cpuMs: 0 };
  for (let round = -warmUps; round < rounds; round++) {
    for (const one of [native, tooled]) {
      const before = cpuMs(one === native ? 'self' : `${server.pid}`, one === tooled);
      const startedAt = performance.now();
      await one.run();
      if (round < 0) continue;
      one.times.push(performance.now() - startedAt);
      one.cpuMs += cpuMs(one === native ? 'self' : `${server.pid}`, one === tooled) - before;
    }
  }
  const [own, bare] = [median(tooled.times), median(native.times)];
  const what = `${tool} ${JSON.stringify(given)} beside git ${args[0]}`;
  const cpu = `cpu ${shown(tooled.cpuMs / rounds)} / ${shown(native.cpuMs / rounds)}`;
  return {
    what,
    goal: `≤ ${most} × git`,
    figure: `${shown(own)} / ${shown(bare)} ms, ${cpu}`,
    ratio: own / bare,
    isKept: own / bare <= most,
  };
}

/** Processor time of the children of a process that have ended, in milliseconds, and with its own. */
function cpuMs(pid: string, withOwn: boolean): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may hold anything.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ticks.slice(withOwn ? 11 : 13, 15).reduce((sum, each) => sum + each, 0) * 10;
}
