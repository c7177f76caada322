import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { suites } from '../suites/suites.mjs';

const suite = (names) => `npm run -s test:suite ${names}`;
const sandbox = `node test/ci/install-program.mjs bwrap bubblewrap && ${suite('sandbox')}`;
const busybox = `node test/ci/install-program.mjs busybox && ${suite('busybox')}`;

/**
 * Returns the steps of `.ci/run`. Their limits end a step that hangs, also on a busy machine.
 * @returns {Promise<import('./run-steps.mjs').Step[]>}
 */
export async function ciSteps() {
  const [, testCommand] = /^(npm ci .*npm test)$/m.exec(await readFile('README.md', 'utf8')) ?? [];
  if (testCommand === undefined) throw new Error('The README names no test command.');
  return [
    { command: testCommand, limitMinutes: 20 },
    // The longest first: from here on two run at a time.
    { command: await otherEndToEnd(), limitMinutes: 75, cores: 1 },
    { command: suite('apiclient'), limitMinutes: 20, cores: 1 },
    { command: suite('grouped'), limitMinutes: 75, cores: 1 },
    // Has the collection runner from the other.
    { command: suite('python'), limitMinutes: 20, cores: 1, after: suite('apiclient') },
    // Its clients wait most of the time.
    ...(existsSync('/proc/self/fd') ? [{ command: suite('soak'), limitMinutes: 15, cores: 0 }] : []),
    { command: suite('attacks'), limitMinutes: 30, cores: 1 },
    { command: suite('docker'), limitMinutes: 20, cores: 1 },
    ...(process.platform === 'linux'
      ? [
          { command: sandbox, limitMinutes: 15, cores: 1 },
          // One after the other: two installations at a time would wait for one lock.
          { command: busybox, limitMinutes: 5, cores: 1, after: sandbox },
          {
            command: `node test/ci/install-program.mjs prometheus && ${suite('telemetry-prometheus')}`,
            limitMinutes: 15,
            cores: 1,
            after: busybox,
          },
        ]
      : []),
    { command: suite('jobs'), limitMinutes: 15, cores: 1 },
    { command: suite('openapi-short'), limitMinutes: 10, cores: 1 },
    { command: suite('upstreams'), limitMinutes: 10, cores: 1 },
    { command: suite('scanner'), limitMinutes: 5, cores: 1 },
    { command: suite('sizes'), limitMinutes: 20, cores: 1 },
    { command: 'npm run -s lint', limitMinutes: 10, cores: 1 },
    { command: suite('clients'), limitMinutes: 10, cores: 1 },
    ...(hasChromium()
      ? [
          { command: suite('site'), limitMinutes: 10, cores: 1 },
          // Has the Chromium from the other.
          { command: suite('accounts-browser'), limitMinutes: 10, cores: 1, after: suite('site') },
          { command: suite('console'), limitMinutes: 25, cores: 1, after: suite('accounts-browser') },
          { command: suite('console-latency'), limitMinutes: 10, cores: 1, after: suite('console') },
          { command: suite('console-attacks'), limitMinutes: 30, cores: 1, after: suite('console') },
        ]
      : []),
    ...['vendors', 'deviations'].filter(hasData).map((name) => ({ command: suite(name), limitMinutes: 10, cores: 1 })),
    { command: suite('fuzz'), limitMinutes: 10, cores: 1 },
  ];
}

/** Returns the command of the end-to-end tests without those that `npm test` has run. */
async function otherEndToEnd() {
  // Own text: package.json.
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const ran = scripts.test.match(/'[^']+\.e2e\.ts'/g) ?? [];
  return `npm run -s test:e2e -- ${ran.map((pattern) => `--ignore ${pattern}`).join(' ')}`;
}

/** True when the suites of a browser find a Chromium: the one that they install is for Linux on x64. */
function hasChromium() {
  return (process.env['TOOLKIT_TEST_CHROMIUM'] ?? '') !== '' || (process.platform === 'linux' && process.arch === 'x64');
}

/** True when the files that the suite reads, which are not part of the project, are named or lie beside it. */
function hasData(name) {
  const { data = [] } = suites[name];
  return data.every(({ variable, folder }) => (process.env[variable] ?? '') !== '' || existsSync(folder));
}
