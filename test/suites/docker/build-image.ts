import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { contextFiles } from './build-context.ts';
import { execForm, type Instruction, readDockerfile, withFlags } from './dockerfile.ts';

/** The result of a build: files below `root`, where paths of the image begin, and the command of its program. */
export interface Image {
  readonly root: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  readonly user: string;
  readonly ports: readonly string[];
  /** A path or text of the image, with its absolute paths below `root`. */
  inRoot(text: string): string;
}

/** A stage while its instructions run. */
interface Stage extends Omit<Image, 'inRoot'> {
  readonly workdirs: readonly string[];
  /** Variables of its commands beside `env`. */
  readonly args: Readonly<Record<string, string>>;
}

/**
 * Runs the instructions of a Dockerfile on this machine, each stage in a folder of its own below `into`, where there is no Docker. Base images
 * are this machine; accounts stay what they are; commands run in a shell and name files relative to their folder. `args`: build arguments.
 */
export async function buildImage(dockerfile: string, into: string, args: Readonly<Record<string, string>>): Promise<Image> {
  const stages = new Map<string, Stage>();
  let last: Stage | undefined;
  for (const instruction of readDockerfile(await readFile(dockerfile, 'utf8'))) {
    const { keyword, rest } = instruction;
    // In front of the first stage: for the names of base images.
    if (keyword === 'ARG' && last === undefined) continue;
    if (keyword === 'FROM') {
      const [, name = `${stages.size}`] = / AS (\S+)$/.exec(rest) ?? [];
      last = emptyStage(path.join(into, name));
      await mkdir(last.root, { recursive: true });
      stages.set(name, last);
    } else {
      if (last === undefined) throw new Error(`Line ${instruction.line} comes before the first stage.`);
      last = await step(last, instruction, { stages, args, ignoreFile: `${dockerfile}.dockerignore` });
      stages.set([...stages.keys()].at(-1) as string, last);
    }
  }
  if (last === undefined) throw new Error(`${dockerfile} has no stage.`);
  const done = last;
  return { ...done, inRoot: (given) => inRoot(done, given) };
}

interface Surroundings {
  readonly stages: ReadonlyMap<string, Stage>;
  readonly args: Readonly<Record<string, string>>;
  readonly ignoreFile: string;
}

async function step(stage: Stage, instruction: Instruction, around: Surroundings): Promise<Stage> {
  const { keyword, rest } = instruction;
  const { flags, words } = withFlags(instruction);
  switch (keyword) {
    case 'WORKDIR': {
      const folder = path.join(stage.root, rest);
      await mkdir(folder, { recursive: true });
      return { ...stage, folder, workdirs: [...stage.workdirs, rest] };
    }
    case 'ARG': {
      const [name, value] = assignment(rest);
      return { ...stage, args: { ...stage.args, [name]: around.args[name] ?? value } };
    }
    case 'ENV': {
      const [name, value] = assignment(rest);
      const full = inRoot(stage, value).replaceAll(/\$(\w+)/g, (_, other: string) => stage.env[other] ?? '');
      return { ...stage, env: { ...stage.env, [name]: full } };
    }
    case 'COPY':
      await copy(stage, words.split(/\s+/), flags, around);
      return stage;
    case 'RUN':
      await runShell(words, stage.folder, { ...stage.env, ...stage.args });
      return stage;
    case 'USER':
      return { ...stage, user: rest };
    case 'EXPOSE':
      return { ...stage, ports: rest.split(/\s+/) };
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: execForm(rest) };
    case 'HEALTHCHECK':
      return { ...stage, healthcheck: execForm(words.replace(/^CMD /, '')) };
    default:
      throw new Error(`Line ${instruction.line}: ${keyword} cannot be run here.`);
  }
}

/** A folder gives what is in it. */
async function copy(stage: Stage, words: readonly string[], flags: Readonly<Record<string, string>>, around: Surroundings): Promise<void> {
  const [source = '', target = '', ...more] = words;
  if (more.length > 0) throw new Error(`COPY of several things is more than this knows: ${words.join(' ')}`);
  const into = target.startsWith('/') ? path.join(stage.root, target) : path.join(stage.folder, target);
  const { from } = flags;
  if (from !== undefined) {
    const other = around.stages.get(from);
    if (other === undefined) throw new Error(`COPY --from=${from}: there is no such stage.`);
    // By the program: Node takes many times as long for so many files. No stage writes into files of another, so they can be the same ones.
    await mkdir(into, { recursive: true });
    await promisify(execFile)('cp', ['-RPpl', `${path.join(other.root, source)}/.`, into]);
    return;
  }
  if (source !== '.') throw new Error(`COPY of "${source}" is more than this knows: expected all of the context.`);
  for (const file of await contextFiles(around.ignoreFile)) await cp(file, path.join(into, file), { verbatimSymlinks: true });
}

async function runShell(command: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${out.slice(-2000)}${err.slice(-2000)}`);
}

function emptyStage(root: string): Stage {
  return { root, folder: root, workdirs: [], args: {}, env: baseEnv(), entrypoint: [], healthcheck: [], user: 'root', ports: [] };
}

/** Returns the environment of a base image: programs, but no packages of this clone. npm keeps its usual cache. */
function baseEnv(): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '' } = process.env;
  const programs = PATH.split(path.delimiter).filter((folder) => !folder.includes('node_modules'));
  return { PATH: programs.join(path.delimiter), HOME, npm_config_prefer_offline: 'true' };
}

function assignment(rest: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(rest) ?? [];
  if (name === '') throw new Error(`Expected one NAME=value, received ${rest}`);
  return [name, value.replace(/^"(.*)"$/, '$1')];
}

function inRoot({ root, workdirs }: Stage, given: string): string {
  const tops = [...new Set(workdirs.map((folder) => folder.split('/')[1] ?? ''))];
  return tops.reduce((said, top) => said.replaceAll(new RegExp(`(?<![\\w./-])/${top}(?![\\w-])`, 'g'), path.join(root, top)), given);
}
