import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { gaugeOf, rowsOf } from '../../support/gauges.ts';
import { until } from '../../support/until.ts';
import { functionKernel } from './function-kernel.ts';

/** `hold` goes on until there is a file. */
const files = {
  'it.mjs': `
    import { existsSync } from 'node:fs';
    export const hold = async ({ value }) => {
      while (!existsSync(value)) await new Promise((resolve) => setTimeout(resolve, 2));
      return 'held';
    };`,
  'it.py': `
import os, time
def hold(params, context):
    while not os.path.exists(params["value"]):
        time.sleep(0.002)
    return "held"`,
};

const kinds = [
  { kind: 'thread', code: './it.mjs#hold', worker: true },
  { kind: 'process', code: './it.mjs#hold', worker: 'process' },
  { kind: 'python', code: './it.py#hold' },
] as const;

describe('the gauges of workers', () => {
  for (const { kind, ...execution } of kinds)
    it(`count a ${kind} that runs and is idle, and the call that waits for it`, async () => {
      const { kernel, folder } = await functionKernel({
        files,
        tools: { hold: { ...execution, timeout_ms: 100_000 } },
        executor: { maxThreads: 1, maxProcesses: 1, maxPythonWorkers: 1 },
      });
      const waiting = gaugeOf(kernel, 'workers.waiting');
      expect([await rowsOf(kernel, 'workers'), await waiting.read()]).to.deep.equal([{}, 0]);
      const file = path.join(folder, 'gate');
      const first = kernel.execute('hold', { value: file });
      await until(async () => ((await rowsOf(kernel, 'workers'))[`${kind} running`] === 1 ? true : undefined));
      const second = kernel.execute('hold', { value: file });
      await until(async () => ((await waiting.read()) === 1 ? true : undefined));
      expect(await rowsOf(kernel, 'workers')).to.include({ [`${kind} running`]: 1 });
      await writeFile(file, '');
      expect(await Promise.all([first, second])).to.deep.equal(['held', 'held']);
      await until(async () => {
        const { [`${kind} running`]: running, [`${kind} idle`]: idle = 0 } = await rowsOf(kernel, 'workers');
        return running === undefined && idle >= 1 ? true : undefined;
      });
      expect(await waiting.read()).to.equal(0);
      expect(Object.keys(await rowsOf(kernel, 'workers'))).to.deep.equal([`${kind} idle`]);
    });
});
