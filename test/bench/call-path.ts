/**
 * Which of our files and functions one call of a function tool passes, counted by V8's own coverage: `tsx test/bench/call-path.ts [--list]`.
 * The kernel has the standard plugins, the call comes from a model, the tool gives a promise, and everything that is loaded once has been loaded.
 * `test/contract/call-path.e2e.ts` holds the budget.
 */
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Toolkit } from '../../plugins/toolkit/index.ts';

const tool = 'time_now';
const budget = 24;
const home = pathToFileURL(`${path.resolve('.')}/`).href;

interface Passed {
  readonly file: string;
  readonly functions: readonly string[];
}

/** The files of this project that the work passes, each with the functions that ran. */
async function passedBy(work: () => Promise<unknown>): Promise<readonly Passed[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Counts begin anew after they were taken.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ours = result.filter(({ url }) => url.startsWith(home) && /\/(kernel|plugins|tools)\//.test(url) && !url.includes('node_modules'));
  return ours
    .map(({ url, functions }) => ({
      file: url.slice(home.length).replace(/\?.*$/, ''),
      functions: functions
        .filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ functions }) => functions.length > 0);
}

// No folder: what is kept between starts would be swept beside the calls.
process.env['XDG_CACHE_HOME'] = '/dev/null';
const toolkit = await Toolkit.init({ logLevel: 'silent' });
const { kernel } = toolkit;
const call = () => kernel.call({ tool, parameters: {}, origin: 'model' });
for (let warm = 0; warm < 3; warm++) await call();
const passed = await passedBy(call);
await toolkit.close();
const count = passed.reduce((sum, { functions }) => sum + functions.length, 0);
process.stdout.write(`a call of ${tool}: ${passed.length} files, ${count} functions (budget ${budget} files)\n`);
if (process.argv.includes('--list'))
  for (const { file, functions } of [...passed].sort((a, b) => (a.file < b.file ? -1 : 1)))
    process.stdout.write(`  ${file}: ${functions.join(', ')}\n`);
