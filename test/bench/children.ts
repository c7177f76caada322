import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { figureRow, median, type Row, ratioRow } from './rows.ts';

// The built package, because that is what people run.
const { createKernel, createLogger, executorFunction, toolFiles }: typeof import('@toolkit/core') = await import(
  path.resolve('dist/plugins/toolkit/index.js')
);

const pairs = 10;

const mebibyte = 1024 * 1024;

const line = 'The quick brown fox jumps over the lazy dog, "twice"\n';

const text = (length: number): { readonly text: string } => ({
  text: Array.from({ length: length / (line.length + 4) }, (_, at) => `${(at * 7919) % 9973} ${line}`).join(''),
});

const list = (length: number): { readonly list: readonly object[] } => ({
  list: Array.from({ length: length / 128 }, (_, id) => ({
    id,
    name: 'a thing with a name that is as long as names of things are in the answers of most services, é',
  })),
});

interface Payload {
  readonly what: string;
  readonly value: object;
  /** Calls of one sample. */
  readonly calls: number;
}

const small: readonly Payload[] = [
  { what: 'nothing', value: {}, calls: 40 },
  { what: 'a text of 16 kB', value: text(16 * 1024), calls: 40 },
  { what: 'values of 16 kB', value: list(16 * 1024), calls: 40 },
];

/** The lines are sorted, as text tools do: the copies alone are twice those of a thread, about 20 ms of processor time for 4 MB there and back. */
const large: readonly Payload[] = [
  { what: 'a text of 4 MB, its lines sorted', value: text(4 * mebibyte), calls: 3 },
  { what: 'values of 4 MB', value: list(4 * mebibyte), calls: 3 },
];

/** How much more a call in a child process takes than the same call in a worker thread, there and back, and how long a first one takes. */
export async function children(): Promise<Row[]> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  const definition = (name: string, worker: unknown): string =>
    JSON.stringify({
      name,
      description: 'Gives back what it gets.',
      parameters: { value: { required: true } },
      execution: { type: 'function', code: './echo.mjs', worker },
    });
  await writeFile(
    path.join(cwd, 'echo.mjs'),
    'export default ({ value: { text, ...rest } }) =>\n  text === undefined ? rest : { text: text.split("\\n").sort().join("\\n") };\n',
  );
  await writeFile(path.join(cwd, 'in_thread.yaml'), definition('in_thread', true));
  await writeFile(path.join(cwd, 'in_child.yaml'), definition('in_child', 'process'));
  const logger = createLogger({ env: {}, write: () => {} });
  const kernel = await createKernel({ plugins: [executorFunction(), toolFiles({ toolPaths: [cwd] })], logger });
  const sample = async (tool: string, { value, calls }: Payload): Promise<number> => {
    const startedAt = performance.now();
    for (let call = 0; call < calls; call++) await kernel.execute(tool, { value });
    return (performance.now() - startedAt) / calls;
  };
  const measure = async (payload: Payload): Promise<{ readonly thread: readonly number[]; readonly child: readonly number[] }> => {
    const thread: number[] = [];
    const child: number[] = [];
    // The first pair compiles, and grows heaps.
    for (let pair = 0; pair <= pairs; pair++) {
      for (const [tool, samples] of [
        ['in_thread', thread],
        ['in_child', child],
      ] as const)
        samples.push(await sample(tool, payload));
    }
    return { thread: thread.slice(1), child: child.slice(1) };
  };
  const rows: Row[] = [];
  const startedAt = performance.now();
  await kernel.execute('in_child', { value: 1 });
  rows.push(figureRow('first call in a child process, which it starts', { value: performance.now() - startedAt, unit: 'ms', most: 500 }));
  for (const payload of small) {
    const { thread, child } = await measure(payload);
    const more = median(child.map((ms, pair) => ms - (thread[pair] ?? 0)));
    rows.push(figureRow(`child process, more than a thread: ${payload.what}`, { value: more, unit: 'ms', most: 1 }));
  }
  for (const payload of large) {
    const { thread, child } = await measure(payload);
    const compared = { bare: median(thread), toolkit: median(child), unit: 'ms', most: 1, to: 'thread' };
    rows.push(ratioRow(`child process: ${payload.what}`, compared));
  }
  await kernel.close();
  await rm(cwd, { recursive: true });
  return rows;
}
