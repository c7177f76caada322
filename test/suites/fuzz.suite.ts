/**
 * Mutants of all definitions, provider files and skills that come with this program: each beside a good tool. TOOLKIT_FUZZ is how many (3,000),
 * TOOLKIT_FUZZ_SEED which ones (1), TOOLKIT_FUZZ_ONLY the number of a single one.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { checkValue, createKernel, type Kernel, type Tool } from '../../kernel/index.ts';
import { describeTool } from '../../plugins/cli/commands/describe/describe-tool.ts';
import { toolPage } from '../../plugins/cli/commands/describe/tool-page.ts';
import { listTool } from '../../plugins/shared/exposure/tool-listing.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { Random } from '../support/random.ts';
import { mutations } from './fuzz/mutations.ts';
import { type Source, sourceFiles, sourceIn } from './fuzz/sources.ts';

const count = Number(process.env['TOOLKIT_FUZZ'] ?? 3000);
const seed = Number(process.env['TOOLKIT_FUZZ_SEED'] ?? 1);
const only = process.env['TOOLKIT_FUZZ_ONLY'];

/** Maximum of processor time for one mutant. An ordinary one takes 20 ms; one with quadratic work or worse takes minutes. */
const maxCpuMs = 10_000;

const terminal = { isTerminal: false, isInteractive: false, hasColors: false, input: process.stdin, error: process.stderr };
const goodTool = 'name: good\ndescription: Says so.\nexecution: { type: command, command: echo, args: [good] }\n';

interface Mutant {
  readonly source: Source;
  readonly mutation: string;
}

describe(`${count} mutants of what comes with this program (TOOLKIT_FUZZ_SEED=${seed})`, function () {
  this.timeout(0);
  let ground = '';
  let files: readonly string[] = [];
  const sources = new Map<string, Promise<Source>>();
  const sourceOf = (file: string): Promise<Source> => {
    const source = sources.get(file) ?? sourceIn(ground, file);
    sources.set(file, source);
    return source;
  };

  before(async () => {
    ground = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-fuzz-')));
    files = await sourceFiles();
    await mkdir(path.join(ground, 'good'));
    await writeFile(path.join(ground, 'good/good.yaml'), goodTool);
  });

  after(() => rm(ground, { recursive: true, force: true }));

  const place = async (number: number): Promise<Mutant> => {
    const random = new Random(Math.imul(seed, 0x9e3779b1) + number);
    // Most of what lies in fixtures/ is no definition.
    const source = await sourceOf(random.oneOf(random.below(4) === 0 ? files : files.filter((file) => file.startsWith('tools/'))));
    const mutation = random.oneOf(Object.keys(mutations));
    await writeFile(source.place, mutations[mutation]?.(source.content, random) ?? source.content);
    return { source, mutation };
  };

  const check = async (number: number): Promise<void> => {
    const { source, mutation } = await place(number);
    const before = process.cpuUsage();
    const fail = (message: string, cause?: unknown): never => {
      throw new Error(
        `${mutation} in ${source.file}: ${message}. Once more: TOOLKIT_FUZZ_SEED=${seed} TOOLKIT_FUZZ_ONLY=${number} npm run test:suite fuzz:whole`,
        { cause },
      );
    };
    await discovered(ground, source).catch((error: unknown) => fail(String(error), error));
    const { user, system } = process.cpuUsage(before);
    await rm(source.place);
    const spentMs = (user + system) / 1000;
    if (spentMs > maxCpuMs) fail(`takes ${spentMs} ms of CPU`);
  };

  it('end, leave the good tool, and are used or named with their file', async () => {
    const numbers = only === undefined ? Array.from({ length: count }, (_, number) => number) : [Number(only)];
    const failures: string[] = [];
    for (const number of numbers) await check(number).catch((error: Error) => failures.push(error.message));
    expect(failures.join('\n')).to.equal('');
  });
});

/** Throws when something is not as it must be. */
async function discovered(ground: string, { folder, place }: Source): Promise<void> {
  const logger = memoryLogger();
  const toolPaths = [path.join(ground, 'good'), folder];
  const kernel = await createKernel({ plugins: [standard({ includeCore: false, autoDiscover: false, toolPaths })], logger, cwd: ground });
  try {
    const { tools, providers, skills, problems } = kernel.registry;
    if (!tools.has('good') || (tools.get('good') as Tool).origin.file === place) throw new Error('the good tool is gone');
    const isMutant = ({ origin }: { readonly origin: { readonly file?: string } }): boolean => origin.file === place;
    const accepted = [...tools.values(), ...providers.values(), ...skills.values()].filter(isMutant);
    const isNamed = problems.some(({ severity, file }) => severity === 'error' && file === place);
    const isOther = logger.records.some(
      ({ message, meta }) => message === 'definition file' && meta?.['file'] === place && meta['kind'] === 'other',
    );
    if (accepted.length === 0 && !isNamed && !isOther) throw new Error('it is neither used nor named');
    if (accepted.length > 0 && isNamed) throw new Error('it is used and refused');
    const about = problems.find(({ message }) => message.startsWith('cannot be checked'));
    if (about !== undefined) throw new Error(`a check fails: ${about.message}`);
    for (const tool of [...tools.values()].filter(isMutant)) await shown(tool, kernel);
  } finally {
    await kernel.close();
  }
}

/** Uses a tool in lists, pages and calls. */
async function shown(tool: Tool, kernel: Kernel): Promise<void> {
  JSON.stringify(listTool(tool, kernel.approvalProof));
  await toolPage(tool, await describeTool(tool, kernel), terminal, new Set());
  checkValue(tool.inputSchema, {});
  if (tool.outputSchema !== undefined) checkValue(tool.outputSchema, {});
}
