/** Prints each figure beside its budget. Figures depend on the machine; the ratios to the bare SDK, taken in the same run, less so. */
import { commands } from './commands.ts';
import { kernelOverhead } from './kernel-overhead.ts';
import { listing } from './listing.ts';
import { logger } from './logger.ts';
import { redaction } from './redaction.ts';
import { stdioServer } from './stdio-server.ts';

for (const measure of [kernelOverhead, logger, redaction, stdioServer, listing, commands]) {
  for (const { what, value, budget } of await measure()) process.stdout.write(`${what}: ${value} (budget ${budget})\n`);
}
