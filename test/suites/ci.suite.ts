import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';

const mocha = `node '${path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin/mocha.js')}'`;

/** Two tests, of which the second, or the hook before it, does what is said. */
const tests = (does: string, where = 'it') => `
  const { existsSync, writeFileSync } = require('node:fs');
  function failOnce() {
    if (existsSync('ran')) return;
    writeFileSync('ran', '');
    throw new Error('the first time');
  }
  describe('a thing', () => {
    it('works', () => {});
    describe('in parts', () => {
      ${where === 'it' ? '' : `beforeEach(() => { ${does} });`}
      it('goes on', () => { ${where === 'it' ? does : ''} });
    });
  });
`;

interface Step {
  readonly command: string;
  readonly limitMinutes?: number;
  readonly cores?: 0 | 1 | 2;
  readonly after?: string;
}

/** Runs the steps in a folder with these files, as `.ci/run` runs its own. */
async function run(steps: readonly Step[], files: Readonly<Record<string, string>> = {}): Promise<{ code: unknown; output: string }> {
  const stepsText = JSON.stringify(steps.map((step) => ({ limitMinutes: 5, ...step })));
  const cwd = await temporaryFolder({ ...files, 'steps.json': stepsText });
  return new Promise((resolve) => {
    execFile(process.execPath, [path.resolve('test/ci/run.mjs'), 'steps.json'], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}

const good = tests('');
const bad = tests('throw new Error("not today")');
const flaky = tests('failOnce();');

describe('what runs all tests', () => {
  const cases: readonly {
    title: string;
    steps: readonly Step[];
    files?: Record<string, string>;
    says: string;
    not?: string;
    code?: number;
  }[] = [
    {
      title: 'adds up the tests of all steps',
      steps: [{ command: `${mocha} a.cjs` }, { command: 'true' }, { command: `${mocha} --parallel a.cjs b.cjs` }],
      files: { 'a.cjs': good, 'b.cjs': good },
      says: '\n6 passed, 0 failed\n',
      code: 0,
    },
    {
      title: 'says which files took longest',
      steps: [{ command: `${mocha} a.cjs` }],
      files: { 'a.cjs': good },
      says: '\n= the longest: a.cjs ',
      code: 0,
    },
    {
      title: 'runs a file that failed once more, and fails with what failed again',
      steps: [{ command: `${mocha} a.cjs b.cjs` }],
      files: { 'a.cjs': good, 'b.cjs': bad },
      says: '\n3 passed, 1 failed\n',
      not: 'flaky',
    },
    {
      title: 'names a file as flaky that passes then, and counts it as passed',
      steps: [{ command: `${mocha} a.cjs b.cjs` }],
      files: { 'a.cjs': good, 'b.cjs': flaky },
      says: 'b.cjs is flaky: it passed when it ran once more, alone\n  a thing › in parts › goes on\n    Error: the first time\n',
      code: 0,
    },
    {
      title: 'does so with files that ran beside each other',
      steps: [{ command: `${mocha} --parallel --jobs 2 a.cjs b.cjs` }],
      files: { 'a.cjs': good, 'b.cjs': flaky },
      says: 'b.cjs is flaky',
      code: 0,
    },
    {
      title: 'counts the tests that a hook kept from running the first time',
      steps: [{ command: `${mocha} --parallel a.cjs` }],
      files: { 'a.cjs': tests('failOnce();', 'hook') },
      says: '\n2 passed, 0 failed\n',
      code: 0,
    },
    {
      title: 'shows the end of what a step said that failed without a test',
      steps: [{ command: `${mocha} a.cjs` }, { command: 'echo "a wrong line"; exit 3' }],
      files: { 'a.cjs': good },
      says: '- "echo "a wrong line"; exit 3" ended with 3, and not because a test failed.\n  a wrong line\n',
    },
    {
      title: 'fails when a file does not load',
      steps: [{ command: `${mocha} --parallel a.cjs b.cjs` }],
      files: { 'a.cjs': good, 'b.cjs': 'throw new Error("no module")' },
      says: 'no module',
    },
    {
      title: 'fails when mocha ended before its tests did, whatever failed before',
      steps: [{ command: `${mocha} a.cjs b.cjs` }],
      files: { 'a.cjs': flaky, 'b.cjs': tests('process.exit(0)') },
      says: 'ended with 0, before its tests did.',
    },
    {
      title: 'fails when a step names test files that are not there, which mocha only warns of',
      steps: [{ command: `${mocha} a.cjs 'b*.cjs'` }],
      files: { 'a.cjs': good },
      says: '\n2 passed, 1 failed\n',
    },
    { title: 'fails when no test ran', steps: [{ command: 'true' }], says: '\n0 passed, 0 failed\n' },
    {
      title: 'runs two steps of one core at the same time',
      steps: [
        { command: `touch first; until [ -e second ]; do sleep 0.01; done; ${mocha} a.cjs`, cores: 1 },
        { command: 'touch second; until [ -e first ]; do sleep 0.01; done', cores: 1 },
        { command: `${mocha} a.cjs` },
      ],
      files: { 'a.cjs': good },
      says: '\n4 passed, 0 failed\n',
      code: 0,
    },
    {
      title: 'runs a step that keeps no core busy beside two others',
      steps: [
        { command: 'touch first; until [ -e last ]; do sleep 0.01; done', cores: 1 },
        { command: 'touch second; until [ -e last ]; do sleep 0.01; done', cores: 1 },
        { command: `until [ -e first ] && [ -e second ]; do sleep 0.01; done; touch last; ${mocha} a.cjs`, cores: 0 },
      ],
      files: { 'a.cjs': good },
      says: '\n2 passed, 0 failed\n',
      code: 0,
    },
    {
      title: 'begins a step that needs another one when that has ended',
      steps: [
        { command: `${mocha} a.cjs && touch made`, cores: 0 },
        { command: '[ -e made ]', cores: 0, after: `${mocha} a.cjs && touch made` },
      ],
      files: { 'a.cjs': good },
      says: '\n2 passed, 0 failed\n',
      code: 0,
    },
  ];
  for (const { title, steps, files, says, not, code = 1 } of cases) {
    it(title, async () => {
      const ran = await run(steps, files);
      expect(ran.output).to.include(says);
      if (not !== undefined) expect(ran.output).to.not.include(not);
      expect(ran.code, ran.output).to.equal(code);
      expect(ran.output).to.match(/\n\d+ passed, \d+ failed\n$/);
    });
  }
});

interface Commands {
  runCommand(
    command: string,
    options: { env: NodeJS.ProcessEnv; limitMs: number; write: (text: string) => void },
  ): Promise<{ code: number | null; isOverLimit: boolean }>;
}

describe('the limit of a step', () => {
  afterEach(() => sinon.restore());

  it('ends the step and all that it has started, those that do not end when they are asked to as well', async () => {
    const { runCommand } = (await import(path.resolve('test/ci/command.mjs'))) as Commands;
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let output = '';
    const hangs = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('pid', process.pid);";
    const ended = runCommand(`node -e "${hangs}" & node -e "${hangs}" ; true`, {
      env: process.env,
      limitMs: 60_000,
      write: (text) => {
        output += text;
      },
    });
    const pids = await until(() => {
      const found = [...output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
      return found.length === 2 ? found : undefined;
    });
    clock.tick(59_999);
    for (const pid of pids) process.kill(pid, 0);
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    await until(() => {
      clock.tick(1000);
      return isOver || undefined;
    });
    expect(await ended).to.include({ isOverLimit: true });
    await until(() => pids.every(isGone) || undefined);
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
