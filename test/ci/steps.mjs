import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const sandbox = 'node test/ci/install-program.mjs bwrap bubblewrap && npm run -s test:sandbox';

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
    { command: 'npm run -s test:rest', limitMinutes: 40, cores: 1 },
    { command: 'npm run -s test:apiclient', limitMinutes: 20, cores: 1 },
    { command: 'npm run -s test:suites', limitMinutes: 25, cores: 1 },
    // Has the collection runner from the other.
    { command: 'npm run -s test:python', limitMinutes: 20, cores: 1, after: 'npm run -s test:apiclient' },
    // Its clients wait most of the time.
    ...(existsSync('/proc/self/fd') ? [{ command: 'npm run -s test:soak', limitMinutes: 15, cores: 0 }] : []),
    { command: 'npm run -s test:attacks', limitMinutes: 15, cores: 1 },
    { command: 'npm run -s test:library', limitMinutes: 15, cores: 1 },
    { command: 'npm run -s test:docker', limitMinutes: 20, cores: 1 },
    ...(process.platform === 'linux'
      ? [
          { command: sandbox, limitMinutes: 15, cores: 1 },
          // Two installations at a time would wait for one lock.
          { command: 'node test/ci/install-program.mjs busybox && npm run -s test:busybox', limitMinutes: 5, cores: 1, after: sandbox },
        ]
      : []),
    { command: 'npm run -s test:jobs', limitMinutes: 15, cores: 1 },
    { command: 'npm run -s test:sizes:short', limitMinutes: 20, cores: 1 },
    { command: 'npm run -s lint', limitMinutes: 10, cores: 1 },
    { command: 'npm run -s test:clients', limitMinutes: 10, cores: 1 },
    ...(hasChromium() ? [{ command: 'npm run -s test:site', limitMinutes: 10, cores: 1 }] : []),
    ...(hasVendors() ? [{ command: 'npm run -s test:vendors', limitMinutes: 10, cores: 1 }] : []),
    ...(hasSuites() ? [{ command: 'npm run -s test:deviations', limitMinutes: 5, cores: 1 }] : []),
    { command: 'npm run -s test:fuzz:short', limitMinutes: 10, cores: 1 },
  ];
}

/** The one that is installed for the test is of Linux on x64. */
function hasChromium() {
  return (process.env['TOOLKIT_TEST_CHROMIUM'] ?? '') !== '' || (process.platform === 'linux' && process.arch === 'x64');
}

/** The vendors' API descriptions lie beside the project, where there are any. */
function hasVendors() {
  return (process.env['TOOLKIT_SPECS'] ?? '') !== '' || existsSync('../shared/specs');
}

/** Nor are the cases of public suites. */
function hasSuites() {
  return (process.env['TOOLKIT_SUITES'] ?? '') !== '' || existsSync('../shared/cases/suites');
}
