/**
 * Mocha's usual report, and beside it a line of JSON for each test in the file that TOOLKIT_TEST_RESULTS names: `{file, title, ms}` for one that
 * passed, with an `error` for one that failed (a hook is one as well), `{began: true}` before the first and `{ended: true}` behind the last. Works
 * with `--parallel` too, where the events of a file come together.
 */
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { reporters } = require('mocha');

const results = process.env['TOOLKIT_TEST_RESULTS'];

module.exports = class ResultsReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    if (results === undefined) return;
    const write = (line) => appendFileSync(results, `${JSON.stringify(line)}\n`);
    // A hook that no file has, such as one of `.mocharc.json`, failed in the file of the test before.
    let current;
    const about = (runnable) => ({
      file: path.relative('.', runnable.file ?? current ?? ''),
      title: runnable.titlePath().join(' › '),
      ms: runnable.duration ?? 0,
    });
    runner.on('start', () => write({ began: true }));
    runner.on('test', ({ file }) => {
      current = file;
    });
    runner.on('pass', (test) => write(about(test)));
    runner.on('fail', (test, error) => write({ ...about(test), error: String(error?.stack ?? error?.message ?? error) }));
    runner.on('end', () => write({ ended: true }));
  }
};
