/** `node test/ci/run.mjs`: all that `.ci/run` runs. With a file of JSON as its argument: the steps in there. */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endAll } from './command.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { runSteps } from './run-steps.mjs';
import { ciSteps } from './steps.mjs';

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.once(signal, () => {
    endAll();
    process.exit(code);
  });
}

// The compiler is written in Go: without a collection of its garbage it takes two thirds of the time.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '3GiB';

const folder = process.env.TMPDIR === undefined ? await memoryFolder() : undefined;
if (folder !== undefined) {
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const [file] = process.argv.slice(2);
const steps = file === undefined ? await ciSteps() : JSON.parse(await readFile(file, 'utf8'));
const isGood = await runSteps(steps, { cwd: '.', write: (text) => process.stdout.write(text) });
process.exitCode = isGood ? 0 : 1;
