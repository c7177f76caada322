/**
 * `npm run test:suite <name> …`: installs what the suites need, and runs them. Without a name it lists them. `grouped` stands for the suites that
 * `.ci/run` runs together, and `<name>:whole` for the long round. Arguments behind `--` go to mocha.
 * `--old`, in a script of package.json with an old name: prints the new command and runs it.
 */
import { spawnSync } from 'node:child_process';
import { closest } from 'fastest-levenshtein';
import { installPackages } from '../support/install-packages.mjs';
import { missingData } from './missing-data.mjs';
import { oldScripts } from './old-scripts.mjs';
import { grouped, suites } from './suites.mjs';

/** Number of test files that run at once when several suites run. */
const groupJobs = 3;

const args = process.argv.slice(2);
if (args[0] === '--old') runOld(process.env['npm_lifecycle_event'] ?? '', args.slice(1));
else {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const names = args.slice(0, firstOption < 0 ? args.length : firstOption);
  if (names.length === 0) list();
  else runSuites(names, args.slice(names.length));
}

/** @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function list() {
  const width = Math.max(...Object.keys(suites).map((name) => name.length));
  const lines = Object.entries(suites).map(([name, { about }]) => `${name.padEnd(width)}  ${about}\n`);
  process.stdout.write(lines.join(''));
}

function suiteNamed(given) {
  const [name, round, ...more] = given.split(':');
  const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (suite !== undefined && round === undefined) return suite;
  if (suite?.whole !== undefined && round === 'whole' && more.length === 0) return { ...suite, env: { ...suite.env, ...suite.whole } };
  const known = Object.entries(suites).flatMap(([key, { whole }]) => [key, ...(whole === undefined ? [] : [`${key}:whole`])]);
  return fail(`There is no suite "${given}". The nearest name is "${closest(given, known)}". "npm run test:suite" lists them all.`);
}

function runSuites(names, mochaArgs) {
  const chosen = names.flatMap((name) => (name === 'grouped' ? grouped : [name])).map(suiteNamed);
  const missing = chosen.flatMap(({ data }) => missingData(data));
  if (missing.length > 0) fail(missing.join('\n'));
  for (const { install } of chosen) if (install !== undefined) installPackages(install);
  const jobs = chosen.length > 1 ? groupJobs : (chosen[0].jobs ?? 1);
  const files = chosen.flatMap(({ spec }) => spec);
  const ignored = chosen.flatMap(({ ignore = [] }) => ignore.flatMap((pattern) => ['--ignore', pattern]));
  const parallel = jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : [];
  const env = Object.assign({}, ...chosen.map((suite) => suite.env), process.env);
  run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...parallel, ...ignored, ...mochaArgs, ...files], { env });
}

function runOld(name, more) {
  const command = oldScripts[name];
  if (command === undefined) fail(`"${name}" is no name that a script had.`);
  const shown = command.replace(' -s', '').replace(/ --$/, '');
  process.stderr.write(`"npm run ${name}" is now "${shown}".\n`);
  run(`${command} ${more.map((arg) => JSON.stringify(arg)).join(' ')}`, [], { shell: true });
}

/** Runs a command, and ends this process with its code where it fails. */
function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
