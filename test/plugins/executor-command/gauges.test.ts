import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { gaugeOf } from '../../support/gauges.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { commandKernel } from './command-kernel.ts';

const hold = {
  'hold.mjs': `
    import { existsSync } from 'node:fs';
    while (!existsSync('gate')) await new Promise((resolve) => setTimeout(resolve, 2));
    process.exit(existsSync('fails') ? 3 : 0);`,
};

describe('the gauge of running programs', () => {
  it('counts them until they end, with success, with a failure, and by a cancelled call', async () => {
    const { kernel, folder } = await commandKernel({ execution: { args: ['hold.mjs'] }, files: hold });
    const running = gaugeOf(kernel, 'commands.running');
    const untilRunning = (count: number): Promise<true> => until(async () => ((await running.read()) === count ? true : undefined));
    const cancelled = new AbortController();
    const [first, second] = [kernel.execute('run', {}), kernel.call({ tool: 'run', parameters: {}, signal: cancelled.signal })];
    const lost = rejection(second, 'ABORTED');
    await untilRunning(2);
    cancelled.abort();
    await lost;
    await untilRunning(1);
    await writeFile(path.join(folder, 'gate'), '');
    await first;
    expect(await running.read()).to.equal(0);
    await writeFile(path.join(folder, 'fails'), '');
    await rejection(kernel.execute('run', {}), 'EXECUTION_FAILED');
    expect(await running.read()).to.equal(0);
  });
});
