/** Prints each figure beside its budget. Figures depend on the machine; the ratios to the bare SDK, taken in the same run, less so. */
import { kernelOverhead } from './kernel-overhead.ts';
import { stdioServer } from './stdio-server.ts';

for (const measure of [kernelOverhead, stdioServer]) {
  for (const { what, value, budget } of await measure()) process.stdout.write(`${what}: ${value} (budget ${budget})\n`);
}
