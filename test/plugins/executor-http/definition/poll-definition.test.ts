import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const url = { header: 'Location' };
const saving = { save_to: { parameter: 'file' }, annotations: { readOnlyHint: false } };

async function problemsOf(
  poll: object,
  { execution = {}, ...more }: { readonly execution?: object; readonly [key: string]: unknown } = {},
): Promise<string> {
  const tool = {
    name: 'probe',
    description: 'Probes.',
    parameters: { id: { type: 'string' }, limit: { type: 'integer' }, page: { type: 'string' }, file: { type: 'string', path: 'write' } },
    execution: {
      type: 'http',
      method: 'get',
      url: 'https://api.example/',
      headers: { 'X-Key': '{API_KEY}' },
      query_params: { page: '{page}' },
      ...execution,
    },
    poll,
    ...more,
  };
  const plugins = [executorHttp(), credentialsPlaceholder(), confinePaths({ roots: [await temporaryFolder()] })];
  const kernel = await testKernel({ tools: [tool], plugins });
  return kernel.registry.problems.map(formatProblem).join('\n');
}

describe('executor-http: the definition of poll', () => {
  const taken: readonly { what: string; poll: object; more?: object }[] = [
    { what: 'a header alone', poll: { url } },
    { what: 'a path', poll: { url: { path: 'links.self' }, until: { status: [200, 204] }, every_ms: 500, max_ms: 10_000 } },
    { what: 'a template of parameters and the answer', poll: { url: { template: '/jobs/{job}/{id}', answer: { job: 'id' } } } },
    { what: 'a template with a whole URL', poll: { url: { template: 'https://api.example/jobs/{id}' } } },
    {
      what: 'conditions on values',
      poll: { url, until: { path: 'a', equals: null }, failed: { path: 'a', one_of: ['b', 1], message_path: ['c', 'd'] } },
    },
    {
      what: 'a result of another origin',
      poll: { url, result: { url: { path: 'file' } }, origins: ['https://files.example', 'http://127.0.0.1:81'] },
    },
    { what: 'a saved answer by its status', poll: { url, until: { status: 200 } }, more: saving },
    { what: 'a saved result', poll: { url, until: { path: 'a', equals: 1 }, result: { url: { path: 'file' } } }, more: saving },
    { what: 'a long limit of a long call', poll: { url, max_ms: 600_000 }, more: { execution: { timeout_ms: 700_000 } } },
  ];
  for (const { what, poll, more } of taken)
    it(`takes ${what}`, async () => {
      expect(await problemsOf(poll, more as never)).to.equal('');
    });

  const refused: readonly { what: string; poll: object; says: string; more?: object }[] = [
    { what: 'no URL', poll: {}, says: 'poll.url: is required' },
    { what: 'a URL of nothing', poll: { url: {} }, says: 'poll.url: has none of "header", "path" and "template"' },
    { what: 'a URL of two', poll: { url: { header: 'a', path: 'b' } }, says: 'poll.url: has several of' },
    {
      what: 'values of no template',
      poll: { url: { ...url, answer: { a: 'b' } } },
      says: 'poll.url.answer: has the placeholders of a "template"',
    },
    { what: 'a template without a host', poll: { url: { template: 'jobs/1' } }, says: 'expected a URL, or a path that begins with "/"' },
    {
      what: 'an unknown placeholder',
      poll: { url: { template: '/jobs/{ids}' } },
      says: 'uses the placeholder {ids}, which neither a parameter nor "answer" defines. Did you mean "id"',
    },
    { what: 'an unused value', poll: { url: { template: '/jobs/', answer: { job: 'id' } } }, says: 'poll.url.answer.job: is not used' },
    { what: 'a credential in the URL', poll: { url: { template: '/jobs/{API_KEY}' } }, says: 'puts the credential {API_KEY} into a URL' },
    {
      what: 'the same in the result',
      poll: { url, result: { url: { template: '/jobs/{API_KEY}' } } },
      says: 'poll.result.url.template: puts',
    },
    { what: 'two results', poll: { url, result: { url, path: 'a' } }, says: 'poll.result' },
    {
      what: 'a condition of nothing',
      poll: { url, until: { path: 'a' } },
      says: 'poll.until: has no condition. Expected "status", or "path" with "equals" or "one_of"',
    },
    { what: 'two conditions', poll: { url, until: { path: 'a', equals: 1, one_of: [1] } }, says: 'several conditions (equals, one_of)' },
    { what: 'a value of no path', poll: { url, until: { equals: 1 } }, says: 'has no "path"' },
    { what: 'a path beside a status', poll: { url, until: { status: 200, path: 'a' } }, says: 'has "path" beside "status"' },
    {
      what: 'a failure by nothing',
      poll: { url, failed: { path: 'a' } },
      says: 'poll.failed: has no condition. Expected "path" with "equals"',
    },
    {
      what: 'one status for both',
      poll: { url, status: [200, 202], until: { status: [201, 200] } },
      says: 'poll.until.status: names 200, which "status" says has no result',
    },
    { what: 'an error status', poll: { url, status: 404 }, says: 'poll.status' },
    { what: 'a URL for an origin', poll: { url, origins: ['https://files.example/'] }, says: 'poll.origins.0: expected an origin such as' },
    { what: 'no time between', poll: { url, every_ms: 0 }, says: 'poll.every_ms' },
    {
      what: 'more time than the call has',
      poll: { url, max_ms: 9000 },
      more: { execution: { timeout_ms: 9000 } },
      says: 'is not less than "execution.timeout_ms", 9000',
    },
    { what: 'more time than calls have', poll: { url, max_ms: 60_000 }, says: 'is not less than 60000, the usual limit of a call' },
    {
      what: 'pages',
      poll: { url },
      more: { paginate: { items: '', limit: 'limit', next: { link: { parameter: 'page' } } } },
      says: 'poll: cannot stand beside "paginate"',
    },
    {
      what: 'a file that is saved too early',
      poll: { url, until: { path: 'a', equals: 1 } },
      more: saving,
      says: 'poll: cannot stand beside "save_to" here',
    },
    { what: 'another key', poll: { url, interval_ms: 5 }, says: 'poll.interval_ms' },
    { what: 'a command', poll: { url }, more: { execution: { type: 'function' } }, says: 'poll' },
  ];
  for (const { what, poll, says, more } of refused)
    it(`refuses ${what}`, async () => {
      expect(await problemsOf(poll, more as never)).to.include(says);
    });
});
