import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';

export const mebibyte = 2 ** 20;

/** Maximum memory of a process for any size of its input: program, threads and data. */
const memoryBytes = 256 * mebibyte;

/**
 * A whole round (`npm run test:suite sizes:whole`) has what the limits of the tools allow. In the short one a file and what a plain comparison of
 * all lines with all would take are larger than the memory as well; of files there are as many as progress is reported for.
 */
const isWhole = process.env['TOOLKIT_SIZES'] === 'whole';

/** Bytes of the largest files; a multiple of 128 MiB. */
export const largeBytes = (isWhole ? 1024 : 256) * mebibyte;

/** Lines of the longest texts that are compared; a multiple of 1,000. */
export const manyLines = isWhole ? 100_000 : 10_000;

/** Files in the folder `many`; a multiple of 5,000. */
export const manyFiles = isWhole ? 50_000 : 5000;

/** At most so many of them are listed, of the whole round as many as the tools allow. */
export const listedFiles = manyFiles / 5;

/** Definition files that are broken. */
export const brokenFiles = isWhole ? 3000 : 600;

/** For the names of tests. */
export const shown = (count: number): string => count.toLocaleString('en');

export interface Answer<Output> {
  readonly output: Output;
  /** How often progress was reported. */
  readonly reports: number;
}

/** Calls a tool. Fails when its process has taken too much memory. What the tool throws is its output. */
export type Call = <Output = Readonly<Record<string, unknown>>>(
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<Answer<Output>>;

/** Where the suite works: a folder, and the program, built from the sources as they are. */
export interface Ground {
  readonly folder: string;
  /** Gives the work a process of its own. */
  run(work: (call: Call) => Promise<void>): Promise<void>;
  /** Removes what a test has made. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

export async function makeGround(): Promise<Ground> {
  const top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-sizes-')));
  const [built, folder] = [path.join(top, 'built'), path.join(top, 'root')];
  const remove = (): Promise<void> => rm(top, { recursive: true, force: true });
  try {
    await Promise.all([buildInto(built), fill(path.join(folder, 'many'))]);
  } catch (error) {
    await remove();
    throw error;
  }
  const module = path.join(built, 'dist/plugins/toolkit/index.js');
  const clear = async (): Promise<void> => {
    for (const name of await readdir(folder)) if (name !== 'many') await rm(path.join(folder, name), { recursive: true });
  };
  return { folder, clear, remove, run: (work) => runWith(module, folder, work) };
}

/** Sources that run without a build bring their compiler, which takes most of the memory. */
async function buildInto(folder: string): Promise<void> {
  const isCode = (file: string): boolean => path.basename(file) !== 'node_modules';
  for (const part of ['kernel', 'plugins', 'tools', 'package.json']) {
    await cp(part, path.join(folder, part), { recursive: true, filter: isCode });
  }
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, ['plugins/toolkit/build.mjs', 'code', 'assets'], { cwd: folder });
}

async function fill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = Array.from({ length: manyFiles }, (_, index) => index);
  while (files.length > 0) {
    await Promise.all(files.splice(-1000).map((index) => writeFile(path.join(folder, nameOf(index)), `ä ${index}\nneedle\n`)));
  }
}

/** Returns the name of a file in the folder `many`. */
export function nameOf(index: number): string {
  return `Datei ${String(index).padStart(5, '0')}.txt`;
}

async function runWith(module: string, root: string, work: (call: Call) => Promise<void>): Promise<void> {
  // As where no more memory is: without it, what is no longer needed would stay until there is much of it.
  const args = ['--max-old-space-size=128', path.resolve('test/suites/sizes/calls.mjs'), module, root];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // One that has ended reads no further call, and the missing answer says so.
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call: Call = async <Output>(tool: string, parameters: Readonly<Record<string, unknown>>) => {
    child.stdin.write(`${JSON.stringify({ tool, parameters })}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Error(`the process ended in ${tool}`);
    const { peakBytes, ...answer } = JSON.parse(value) as Answer<Output> & { readonly peakBytes: number };
    process.stdout.write(`      ${tool}: up to ${Math.round(peakBytes / mebibyte)} MiB\n`);
    expect(peakBytes, `memory of ${tool}`).to.be.below(memoryBytes);
    return answer;
  };
  try {
    await work(call);
  } finally {
    child.stdin.end();
    child.kill();
    await ended;
  }
}
