import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { type DeskOptions, desk, pets, type Result, reportFile } from './stand-in.ts';
import { treeOf } from './tree.ts';

const given = { collection_path: 'pets' };

/** Summarizes a result. */
function brief({ name, iteration, status, response_status: answer, error }: Result): string {
  return `${iteration} ${name}: ${status} ${answer}${error === undefined ? '' : ` ${error}`}`;
}

interface Recorded {
  readonly report: string;
  readonly exitCode: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  /** total, passed, failed, skipped, iterations */
  readonly counts: readonly number[];
  readonly results: readonly string[];
  readonly errors: readonly string[];
}

const recorded: readonly Recorded[] = [
  {
    report: '4.1-all-passed',
    exitCode: 0,
    success: true,
    counts: [2, 2, 0, 0, 1],
    results: ['0 Get pet: passed 200', '0 List pets: passed 200'],
    errors: [],
  },
  {
    report: '4.1-failing-assertion',
    exitCode: 1,
    success: false,
    counts: [2, 1, 1, 0, 1],
    results: ['0 A good: passed 200', '0 B fail: failed 404'],
    errors: ['1 of 2 requests failed, among them "B fail"; results says why.'],
  },
  {
    report: '4.1-failing-test',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 B fail: failed 404'],
    errors: ['1 of 1 requests failed, among them "B fail"; results says why.'],
  },
  {
    report: '4.1-script-error',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 Thrower: failed 200'],
    errors: ['1 of 1 requests failed, among them "Thrower"; results says why.'],
  },
  {
    report: '4.1-refused',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 Gone: failed null connect ECONNREFUSED 127.0.0.1:9'],
    errors: ['1 of 1 requests failed, among them "Gone"; results says why.'],
  },
  {
    report: '4.1-skipped',
    exitCode: 0,
    success: true,
    counts: [1, 1, 0, 1, 1],
    results: ['0 A good: passed 200', '0 Skip me: skipped null request skipped via pre-request script'],
    errors: [],
  },
  {
    report: '4.1-bail',
    exitCode: 1,
    parameters: { bail_on_failure: true, iteration_count: 3 },
    success: false,
    counts: [2, 1, 1, 1, 1],
    results: ['0 C last: passed 200', '0 A fail: failed 500', '0 B next: skipped null bail'],
    errors: ['1 of 2 requests failed, among them "A fail"; results says why.'],
  },
  {
    report: '4.1-unparsable',
    exitCode: 0,
    success: false,
    counts: [1, 1, 0, 0, 1],
    results: ['0 Good: passed 200'],
    errors: ['broken.bru: cannot be read: Line 6, col 1: 5 | get { > 6 | ^ Expected "}" or ":"'],
  },
  {
    report: '4.1-rows',
    exitCode: 0,
    parameters: { iteration_count: 3 },
    success: true,
    counts: [3, 3, 0, 0, 3],
    results: ['0 Pet: passed 200', '1 Pet: passed 200', '2 Pet: passed 200'],
    errors: [],
  },
  {
    report: '2.15-failing-assertion',
    exitCode: 1,
    success: false,
    counts: [2, 1, 1, 0, 1],
    results: ['0 A good: passed 200', '0 B fail: failed 404'],
    errors: ['1 of 2 requests failed, among them "B fail"; results says why.'],
  },
  {
    report: '2.15-refused',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 Gone: failed null connect ECONNREFUSED 127.0.0.1:9'],
    errors: ['1 of 1 requests failed, among them "Gone"; results says why.'],
  },
  {
    report: '2.15-bail',
    exitCode: 1,
    parameters: { bail_on_failure: true, iteration_count: 3 },
    success: false,
    counts: [6, 3, 3, 0, 3],
    results: [0, 1, 2].flatMap((iteration) => [`${iteration} C last: passed 200`, `${iteration} A fail: failed 500`]),
    errors: ['3 of 6 requests failed, among them "A fail"; results says why.'],
  },
  {
    report: '1.40-failing-assertion',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 b-fail: failed 404'],
    errors: ['1 of 1 requests failed, among them "b-fail"; results says why.'],
  },
  {
    report: '1.40-refused',
    exitCode: 1,
    success: false,
    counts: [1, 0, 1, 0, 1],
    results: ['0 gone: failed null connect ECONNREFUSED 127.0.0.1:9'],
    errors: ['1 of 1 requests failed, among them "gone"; results says why.'],
  },
  {
    report: '1.40-skipped',
    exitCode: 0,
    success: false,
    counts: [0, 0, 0, 1, 1],
    results: ['0 skip-me: skipped null Request has been skipped from pre-request script'],
    errors: ['No request was sent: all 1 were skipped by a script or before a failure.'],
  },
];

describe('apiclient_run_collection: its answer', () => {
  for (const { report, exitCode, parameters, success, counts, results, errors } of recorded) {
    it(`is computed from the results of the report ${report}`, async () => {
      const { call } = await desk({ files: pets(), plan: { report, exitCode } });
      const answer = await call('run_collection', { ...given, ...parameters });
      const { total_requests: total, passed, failed, skipped, iterations } = answer.summary;
      expect([total, passed, failed, skipped, iterations]).to.deep.equal(counts);
      expect(answer.results.map(brief)).to.deep.equal(results);
      expect(answer.errors).to.deep.equal(errors);
      expect(answer.success).to.equal(success);
    });
  }

  it('has the summary under both of its names, and says how long it took', async () => {
    const { call } = await desk({ files: pets(), plan: { report: '4.1-all-passed' } });
    const { summary, report_path: report, results_truncated: truncated } = await call('run_collection', given);
    const { execution_time_ms: time = 0, duration, ...counts } = summary;
    expect(counts).to.deep.equal({ total_requests: 2, passed: 2, failed: 0, skipped: 0, iterations: 1, total: 2 });
    expect(time).to.be.greaterThan(0).and.to.equal(duration);
    expect([report, truncated]).to.deep.equal([null, false]);
  });

  describe('what it says of requests that passed', () => {
    const row = (name: string, status: number, assertions: number, url = `http://127.0.0.1/${name}`) => ({
      name,
      path: `${name}.bru`,
      status: 'pass',
      request: { method: 'GET', url },
      response: { status },
      assertionResults: Array.from({ length: assertions }, () => ({ lhsExpr: 'res.status', rhsExpr: `eq ${status}`, status: 'pass' })),
      testResults: [],
    });
    const cases: readonly (readonly [string, readonly object[], object, readonly RegExp[]])[] = [
      [
        'nothing is checked',
        [row('a', 200, 0), row('b', 204, 0)],
        { assertions: 0, error_answers: 0 },
        [/^There are no assertions: such a request passes/],
      ],
      [
        'one is not checked',
        [row('a', 200, 2), row('b', 200, 0)],
        { assertions: 2, error_answers: 0 },
        [/^1 of 2 requests have no assertions/],
      ],
      ['all are checked', [row('a', 200, 1)], { assertions: 1, error_answers: 0 }, []],
      [
        'answers are errors',
        [row('a', 404, 0), row('b', 500, 0), row('c', 200, 0)],
        { assertions: 0, error_answers: 2 },
        [/^There are no/, /^2 of 3 answers have a status of 400 or above, among them "a" 404, "b" 500/],
      ],
      ['an error was expected', [row('a', 404, 1)], { assertions: 1, error_answers: 1 }, [/^1 of 1 answers/]],
      [
        'a path parameter was left',
        [row('a', 200, 1, 'http://127.0.0.1:8080/orders/:orderId')],
        { assertions: 1, error_answers: 0 },
        [/the path parameter :orderId not filled in/],
      ],
    ];
    for (const [what, results, checks, notes] of cases)
      it(`is right where ${what}`, async () => {
        const { call } = await desk({ files: pets(), plan: { reportText: JSON.stringify([{ iterationIndex: 0, results, summary: {} }]) } });
        const answer = (await call('run_collection', given)) as unknown as { success: boolean; checks: object; notes?: readonly string[] };
        expect(answer.success).to.equal(true);
        expect(answer.checks).to.deep.equal(checks);
        const said = answer.notes ?? [];
        expect(said).to.have.length(notes.length);
        for (const [index, note] of notes.entries()) expect(said[index]).to.match(note);
      });
  });

  it('says of each request what was sent, and what was checked', async () => {
    const { call } = await desk({ files: pets(), plan: { report: '4.1-failing-assertion', exitCode: 1 } });
    const [, result] = (await call('run_collection', given)).results;
    expect(result).to.deep.include({ file: 'b-fail.bru', method: 'GET', url: 'http://127.0.0.1:8080/status/404' });
    expect(result?.assertions).to.deep.equal([{ name: 'res.status eq 200', status: 'failed', error: 'expected 404 to equal 200' }]);
  });

  it('counts an error of a script as failed, beside the tests that passed before', async () => {
    const { call } = await desk({ files: pets(), plan: { report: '4.1-script-error', exitCode: 1 } });
    const [result] = (await call('run_collection', given)).results;
    expect(result?.assertions).to.deep.equal([
      { name: 'runs', status: 'passed' },
      { name: 'Test Script Error', status: 'failed', error: "'nothing' is not defined" },
    ]);
  });

  const nothing: { title: string; plan: DeskOptions['plan']; parameters?: Record<string, unknown>; words: string }[] = [
    { title: 'a report without iterations', plan: { reportText: '[]' }, words: 'No request was run: the collection has none.' },
    { title: 'iterations without requests', plan: { reportText: '[{"iterationIndex":0,"results":[]}]' }, words: 'No request was run' },
    {
      title: 'filters that leave none',
      plan: { reportText: '[{"results":[]}]' },
      parameters: { tests_only: true, exclude_tags: 'smoke' },
      words: 'No request was run: tests_only and exclude_tags left none.',
    },
    {
      title: 'fewer iterations than were asked for',
      plan: { report: '4.1-all-passed' },
      parameters: { iteration_count: 4 },
      words: 'The collection ran 1 of 4 times.',
    },
    {
      title: 'an exit code that nothing explains',
      plan: { report: '4.1-all-passed', exitCode: 2 },
      words: 'ended with code 2, although no request failed',
    },
    { title: 'a signal after the report', plan: { report: '4.1-all-passed', signal: 'SIGKILL' }, words: 'ended with code (a signal)' },
    {
      title: 'a sandbox that was not ready',
      plan: { report: '4.1-all-passed', stderr: "TypeError: Cannot read properties of undefined (reading 'newContext')\n" },
      words: 'sandbox of the runner was not ready',
    },
    {
      title: 'the sandbox of an older version that was not ready',
      plan: { report: '2.15-failing-assertion', exitCode: 1, stderr: "Cannot read properties of undefined (reading 'newObject')" },
      words: 'script:pre-request into collection.bru',
    },
  ];
  for (const { title, plan, parameters, words } of nothing) {
    it(`is no success after ${title}`, async () => {
      const { call } = await desk({ files: pets(), ...(plan === undefined ? {} : { plan }) });
      const { success, errors } = await call('run_collection', { ...given, ...parameters });
      expect(success).to.equal(false);
      expect(errors[0]).to.include(words);
    });
  }

  it('keeps what failed when there are more results than it lists', async () => {
    const row = (name: string, error: string | null) => ({
      name,
      iterationIndex: 0,
      status: error === null ? 'pass' : 'error',
      error,
      response: {},
    });
    const results = [...Array.from({ length: 2500 }, (_, index) => row(`p${index}`, null)), row('last', 'gone')];
    const { call } = await desk({ files: pets(), plan: { reportText: JSON.stringify([{ results }]), exitCode: 1 } });
    const answer = await call('run_collection', given);
    expect([answer.results.length, answer.results_truncated, answer.summary['total']]).to.deep.equal([2000, true, 2501]);
    expect(answer.results.at(-1)).to.include({ name: 'last', status: 'failed', error: 'gone' });
  });

  it('tells of each request when it is done', async () => {
    const { call } = await desk({
      files: pets(),
      plan: { report: '4.1-rows', stdout: await readFile(reportFile('4.1-rows').replace('.json', '.txt'), 'utf8') },
    });
    const notes: Progress[] = [];
    await call('run_collection', { ...given, iteration_count: 3 }, { onProgress: (note) => void notes.push(note) });
    expect(notes.map(({ progress, total }) => [progress, total])).to.deep.equal([
      [1, 9],
      [2, 9],
      [3, 9],
    ]);
    for (const { message } of notes) expect(message).to.match(/^pet \(200 OK\) - \d+ ms$/);
  });

  it('leaves nothing behind in the collection', async () => {
    const { call, root } = await desk({ files: pets(), plan: { report: '4.1-all-passed' } });
    const before = await treeOf(root);
    await call('run_collection', given);
    expect(await treeOf(path.join(root))).to.deep.equal(before);
  });
});
