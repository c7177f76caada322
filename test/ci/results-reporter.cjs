/**
 * Mocha's usual report, and behind it the `*.test.ts` files that took over 2 s: they should be `*.e2e.ts`. Beside it writes a line of JSON for each
 * test to the file that TOOLKIT_TEST_RESULTS names: `{file, title, ms}` for a passed test, with an `error` for a failed test or hook, `{began: true}`
 * before the first and `{ended: true}` behind the last. Works with `--parallel` too, where the events of a file arrive together.
 */
const { appendFileSync } = require('node:fs');
const { availableParallelism, loadavg } = require('node:os');
const path = require('node:path');
const { reporters } = require('mocha');

const results = process.env['TOOLKIT_TEST_RESULTS'];

/** The time that a `*.test.ts` file may take, with its hooks, when it runs alone. */
const maxTestFileMs = 2000;

/** The number of slow files that are named. */
const maxSlowFiles = 10;

module.exports = class ResultsReporter extends reporters.Spec {
  constructor(runner, options = {}) {
    super(runner, options);
    // A hook that no file has, such as one of `.mocharc.json`, belongs to the file of the test before.
    let current = '';
    const fileOf = ({ file }) => path.relative('.', file ?? current);
    runner.on('test', ({ file }) => {
      current = file;
    });
    nameSlowFiles(runner, options, fileOf);
    if (results !== undefined) writeResults(runner, fileOf);
  }
};

function nameSlowFiles(runner, { parallel = false, jobs = availableParallelism() }, fileOf) {
  const times = new Map();
  const add = (runnable) => {
    const file = fileOf(runnable);
    times.set(file, (times.get(file) ?? 0) + (runnable.duration ?? 0));
  };
  runner.on('test end', add);
  runner.on('hook end', add);
  runner.on('end', () => {
    // A file has only its share of the processors, beside others of this run and of the machine.
    const running = Math.max(1, parallel ? jobs : 1, loadavg()[0]);
    const maxMs = maxTestFileMs * Math.max(1, running / availableParallelism());
    const slow = [...times].filter(([file, ms]) => file.endsWith('.test.ts') && ms > maxMs).sort(([, one], [, other]) => other - one);
    if (slow.length === 0) return;
    const lines = slow.slice(0, maxSlowFiles).map(([file, ms]) => `    ${file} ${(ms / 1000).toFixed(1)} s\n`);
    const title = `Over ${(maxMs / 1000).toFixed(1)} s, the longest of ${slow.length} (a *.test.ts takes under 2 s alone, longer ones are *.e2e.ts)`;
    process.stdout.write(`  ${title}:\n${lines.join('')}\n`);
  });
}

function writeResults(runner, fileOf) {
  const write = (line) => appendFileSync(results, `${JSON.stringify(line)}\n`);
  const about = (runnable) => ({ file: fileOf(runnable), title: runnable.titlePath().join(' › '), ms: runnable.duration ?? 0 });
  runner.on('start', () => write({ began: true }));
  runner.on('pass', (test) => write(about(test)));
  runner.on('fail', (test, error) => write({ ...about(test), error: String(error?.stack ?? error?.message ?? error) }));
  runner.on('end', () => write({ ended: true }));
}
