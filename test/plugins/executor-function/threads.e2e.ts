import path from 'node:path';
import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

const kernelModule = new URL('../../../kernel/index.ts', import.meta.url).href;

const failures = {
  throws: { body: 'throw new Error("bad page")', code: 'EXECUTION_FAILED', says: 'The function of "throws" failed: bad page' },
  refuses: { body: 'throw new ToolkitError("RATE_LIMITED", "Slow down.", { retryAfterMs: 7 })', code: 'RATE_LIMITED', says: 'Slow down.' },
  gives_nothing: { body: '', code: 'OUTPUT_INVALID', says: 'returned nothing' },
  gives_bigint: { body: 'return { n: 1n }', code: 'OUTPUT_INVALID', says: 'The output at "n"' },
  gives_function: { body: 'return () => 1', code: 'OUTPUT_INVALID', says: 'received function' },
  gives_circle: { body: 'const a: any = {}; a.a = a; return a', code: 'OUTPUT_INVALID', says: 'a circular reference' },
  exits: { body: 'process.exit(3)', code: 'EXECUTION_FAILED', says: 'called process.exit' },
  throws_astray: {
    body: 'return new Promise(() => setImmediate(() => { throw new Error("astray"); }))',
    code: 'EXECUTION_FAILED',
    says: 'failed: astray',
  },
  rejects_astray: {
    body: 'void Promise.reject(new Error("unheard")); return new Promise(() => {})',
    code: 'EXECUTION_FAILED',
    says: 'failed: unheard',
  },
  fetches: { body: 'return context.fetch("http://127.0.0.1/")', code: 'EXECUTION_FAILED', says: 'context.fetch is not available' },
  lists: { body: 'return context.tools.list()', code: 'EXECUTION_FAILED', says: 'context.tools is not available' },
} as const;

const text = `
import { isMainThread, threadId } from 'node:worker_threads';
import { ToolkitError } from '${kernelModule}';
let calls = 0;
export const place = ({ value }: { value: unknown }) => ({ value, isMainThread, hasId: threadId > 0 });
export const count = () => [threadId, ++calls];
export const notes = (_: unknown, context: any) => {
  for (let n = 1; n <= 200; n++) context.progress({ progress: n, total: 200 });
  context.progress('last words');
  context.logger.warn('half full', { percent: 50 });
  return [context.caller, context.callId];
};
export const shows = (_: unknown, context: any) => context.withContent('done', [{ type: 'text', text: 'shown' }]);
export const secrets = (_: unknown, context: any) =>
  ({ names: Object.keys(context.secrets), length: context.secrets.SHOP_TOKEN.length, env: Object.keys(process.env) });
export const leaves = () => { setImmediate(() => { throw new Error('too late'); }); return 'answered'; };
${Object.entries(failures)
  .map(([name, { body }]) => `export const ${name} = (_: unknown, context: any) => { ${body} };`)
  .join('\n')}
void ToolkitError;
`;

const names = ['place', 'count', 'notes', 'shows', 'secrets', 'leaves', ...Object.keys(failures)];

describe('a function in a worker thread', () => {
  // Without "npm test", the sources are compiled for threads by whoever comes first.
  const logger = memoryLogger();
  const suite = suiteKernel({
    files: { 'it.ts': text, 'broken.ts': 'throw new Error("no licence");' },
    tools: {
      ...Object.fromEntries(names.map((name) => [name, { code: `./it.ts#${name}`, worker: true }])),
      broken: { code: './broken.ts', worker: true },
    },
    definition: { secrets: ['SHOP_TOKEN'] },
    plugins: [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token', OTHER_TOKEN: 'value' } }), credentialsPlaceholder()],
    executor: { maxThreads: 1 },
    logger,
  });

  it('gets its parameters, runs beside this thread and gives its output', async () => {
    const value = { list: [1, 'é漢'], none: null };
    expect(await suite.kernel.execute('place', { value })).to.deep.equal({ value, isMainThread: false, hasId: true });
  });

  it('uses a thread again', async () => {
    const [first, second] = [await suite.kernel.execute('count'), await suite.kernel.execute('count')] as [number, number][];
    expect(second).to.deep.equal([first?.[0], 2]);
  });

  it('passes every progress and log line on before the call ends', async () => {
    const seen: Progress[] = [];
    const onProgress = (note: Progress): void => void seen.push(note);
    const { output, callId } = await suite.kernel.call({ tool: 'notes', caller: 'desk-4', onProgress });
    expect(output).to.deep.equal(['desk-4', callId]);
    expect(seen).to.have.length(201);
    expect(seen[199]).to.deep.equal({ progress: 200, total: 200 });
    expect(seen[200]).to.deep.equal({ message: 'last words' });
    expect(logger.records).to.deep.include({ level: 'warn', message: 'half full', meta: { percent: 50 } });
  });

  it('shows content beside its output', async () => {
    const { output, content } = await suite.kernel.call({ tool: 'shows' });
    expect([output, content]).to.deep.equal(['done', [{ type: 'text', text: 'shown' }]]);
  });

  it('gets its own secrets, and of the environment only what a program needs to run', async () => {
    const seen = (await suite.kernel.execute('secrets')) as { names: string[]; length: number; env: string[] };
    expect([seen.names, seen.length]).to.deep.equal([['SHOP_TOKEN'], 'value-of-shop-token'.length]);
    expect(seen.env).to.include('PATH');
    const ordinary = /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|SHELL|TEMP|TMP)$/;
    expect(seen.env.filter((name) => !ordinary.test(name))).to.deep.equal([]);
  });

  for (const [name, { code, says }] of Object.entries(failures)) {
    it(`that ${name.replaceAll('_', ' ')} fails with ${code}, and its thread goes on`, async () => {
      const [thread] = (await suite.kernel.execute('count')) as [number];
      const error = await rejection(suite.kernel.execute(name), code);
      expect(error.message).to.include(says);
      if (code === 'RATE_LIMITED') expect(error.details.retryAfterMs).to.equal(7);
      expect(((await suite.kernel.execute('count')) as [number])[0]).to.equal(thread);
    });
  }

  it('that fails after its answer is a warning with its file', async () => {
    const warned = new Promise<unknown>((resolve) => {
      const { warn } = logger;
      logger.warn = (message, meta) => {
        logger.warn = warn;
        resolve({ message, meta });
      };
    });
    expect(await suite.kernel.execute('leaves')).to.equal('answered');
    const meta = { file: path.join(suite.folder, 'it.ts'), error: 'too late' };
    expect(await warned).to.deep.equal({ message: 'a function failed after its call had ended', meta });
    expect(await suite.kernel.execute('shows')).to.equal('done');
  });

  it('of a module that does not load is refused with its path', async () => {
    const error = await rejection(suite.kernel.execute('broken'), 'TOOL_INVALID');
    expect(error.message).to.include(`${path.join(suite.folder, 'broken.ts')} does not load: no licence`);
  });
});
