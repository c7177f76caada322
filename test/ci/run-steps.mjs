import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from './command.mjs';
import { failedFiles, readResults } from './results.mjs';

const minuteMs = 60_000;

/** Number of cores used at once. */
const cores = 2;

/** More files than that do not fail by chance. */
const maxFilesAgain = 10;

/** Number of the slowest files that are named for each step. */
const longestFiles = 10;

/** Number of lines of a step without failed tests that are shown again at the end. */
const lastLines = 30;

/**
 * @typedef {{ command: string, limitMinutes: number, cores?: 0 | 1 | 2, after?: string }} Step `cores`: how many it keeps busy; steps of one run two at a time, one of none beside any. @default 2
 * `after`: the command of a step before it that must have ended
 * @typedef {import('./results.mjs').Results & { step: Step, output: string, problem: string | undefined }} Ran `problem`: why a step failed whose failed tests are not the reason
 * @typedef {{ write: (text: string) => void, cwd: string }} Options
 */

/**
 * Runs the steps in their order, then each test file that failed once more, alone. A file that passes then is named as flaky and counts as passed.
 * The last line that it writes is `N passed, N failed`.
 * @param {readonly Step[]} steps
 * @param {Options} options
 * @returns {Promise<boolean>} whether something has passed and nothing failed
 */
export async function runSteps(steps, { write, cwd }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-ci-'));
  try {
    const run = runner(folder, { write, cwd });
    const ran = await inOrder(steps, (step, isAlone) => run(step, isAlone));
    const again = new Map();
    for (const file of ran.flatMap(filesAgain)) again.set(file, await run(mochaAlone(file), true));
    return report(ran, again, write);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a function that runs one step. The output of a step that shares the machine is printed when it has ended. */
function runner(folder, { write, cwd }) {
  const reporter = path.resolve(import.meta.dirname, 'results-reporter.cjs');
  let count = 0;
  return async (step, isAlone) => {
    const results = path.join(folder, String(++count));
    const env = { ...process.env, MOCHA_OPTIONS: `--reporter "${reporter}"`, TOOLKIT_TEST_RESULTS: results };
    const title = `+ ${step.command}\n`;
    if (isAlone) write(title);
    let output = '';
    const { code, isOverLimit } = await runCommand(step.command, {
      cwd,
      env,
      limitMs: step.limitMinutes * minuteMs,
      write(text) {
        output += text;
        if (isAlone) write(text);
      },
    });
    const read = await readResults(results);
    const problem = problemOf(step, read, { code, isOverLimit, output });
    if (!isAlone) write(`${title}${output}`);
    write(longest(read));
    if (problem !== undefined) write(`! ${problem}\n`);
    return { ...read, step, output, problem };
  };
}

/** Where the time of a step went. */
function longest({ files }) {
  const named = [...files]
    .sort(([, one], [, other]) => other.ms - one.ms)
    .slice(0, longestFiles)
    .map(([file, { ms }]) => `${file} ${(ms / 1000).toFixed(1)} s`);
  return named.length === 0 ? '' : `= the longest: ${named.join(', ')}\n`;
}

function problemOf({ command, limitMinutes }, results, { code, isOverLimit, output }) {
  if (isOverLimit) return `"${command}" was ended, with all that it had started, after ${limitMinutes} minutes: that is its limit.`;
  const [missing] = /^Warning: Cannot find any files matching pattern .*$/m.exec(stripVTControlCharacters(output)) ?? [];
  if (missing !== undefined) return `"${command}" names test files that are not there: ${missing}`;
  const isWhole = results.began === results.ended;
  const failed = failedFiles(results).length > 0;
  if (isWhole && (code === 0 || failed)) return undefined;
  return `"${command}" ended with ${code ?? 'a signal'}, ${isWhole ? 'and not because a test failed' : 'before its tests did'}.`;
}

/** Starts the steps one after the other, as soon as there are cores for them. */
async function inOrder(steps, run) {
  const ran = [];
  const running = new Map();
  let free = cores;
  for (const step of steps) {
    const needed = step.cores ?? cores;
    while (free < needed || running.has(step.after)) await Promise.race(running.values());
    free -= needed;
    const one = run(step, needed === cores).then((result) => {
      ran.push(result);
      running.delete(step.command);
      free += needed;
    });
    running.set(step.command, one);
  }
  await Promise.all(running.values());
  return ran;
}

function filesAgain(ran) {
  const files = failedFiles(ran).filter((file) => file !== '');
  return files.length > maxFilesAgain ? [] : files;
}

function mochaAlone(file) {
  const mocha = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin/mocha.js');
  return { command: `node ${quoted(mocha)} ${quoted(file)}`, limitMinutes: 20 };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function report(ran, again, write) {
  const total = { passed: 0, failed: 0 };
  const flaky = [];
  for (const { files, step, output, problem } of ran) {
    if (problem !== undefined) {
      total.failed++;
      write(`\n- ${problem}\n${failedFiles({ files }).length === 0 ? tail(output) : ''}`);
    }
    for (const [file, first] of files) {
      const second = first.failures.length === 0 ? undefined : again.get(file);
      const { passed, failures } = last(file, first, second);
      total.passed += passed;
      total.failed += failures.length;
      if (failures.length > 0) write(`\n- ${file} (${step.command})\n${failures.map(shown).join('')}`);
      else if (second !== undefined)
        flaky.push(`${file} is flaky: it passed when it ran once more, alone\n${first.failures.map(shown).join('')}`);
    }
  }
  write(`\n${flaky.join('')}${total.passed} passed, ${total.failed} failed\n`);
  return total.passed > 0 && total.failed === 0;
}

/** Returns the result of a file that counts: its second run, if that ran to its end. */
function last(file, first, second) {
  if (second === undefined || second.problem !== undefined) return first;
  return second.files.get(file) ?? first;
}

const shown = ({ title, error }) =>
  `  ${title}\n${error
    .split('\n')
    .slice(0, 20)
    .map((line) => `    ${line}\n`)
    .join('')}`;

function tail(output) {
  return output
    .trimEnd()
    .split('\n')
    .slice(-lastLines)
    .map((line) => `  ${line}\n`)
    .join('');
}
