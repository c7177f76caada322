import { expect } from 'chai';
import sinon from 'sinon';
import type { GitHubOptions } from '../../../fixtures/servers/github.ts';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit, token } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };

interface Refusal {
  readonly when: string;
  readonly server?: GitHubOptions;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly status: number;
  readonly says: readonly string[];
}

const refusals: readonly Refusal[] = [
  {
    when: 'the token is wrong',
    server: { token: 'ghp_another' },
    tool: 'github_get_repository',
    parameters: place,
    code: 'AUTH_FAILED',
    status: 401,
    says: ['invalid or expired', 'Renew GITHUB_TOKEN', 'Bad credentials'],
  },
  {
    when: 'the repository does not exist',
    tool: 'github_list_issues',
    parameters: { owner: 'octo-org', repo: 'no-such-thing' },
    code: 'NOT_FOUND',
    status: 404,
    says: ['does not exist, or the token may not see it', 'Not Found'],
  },
  {
    when: 'the token may not write',
    server: { isReadOnly: true },
    tool: 'github_create_issue',
    parameters: { ...place, title: 'x' },
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    says: ['needs scope repo', 'Resource not accessible by personal access token'],
  },
  {
    when: 'the title is blank',
    tool: 'github_create_issue',
    parameters: { ...place, title: ' ' },
    code: 'BAD_REQUEST',
    status: 422,
    says: ['Validation Failed; title: missing_field'],
  },
  {
    when: 'nobody has the login of an assignee',
    tool: 'github_create_issue',
    parameters: { ...place, title: 'x', assignees: ['mona', 'ghost'] },
    code: 'BAD_REQUEST',
    status: 422,
    says: ['Validation Failed; assignees: invalid'],
  },
  {
    when: 'there is no such milestone',
    tool: 'github_list_issues',
    parameters: { ...place, milestone: '99' },
    code: 'BAD_REQUEST',
    status: 422,
    says: ['Validation Failed; milestone: invalid'],
  },
  {
    when: 'the rate limit is used up',
    server: { remaining: 0 },
    tool: 'github_get_repository',
    parameters: place,
    code: 'RATE_LIMITED',
    status: 403,
    says: ['too many requests', 'API rate limit exceeded'],
  },
  {
    when: 'too much is written',
    server: { retryAfterS: 60 },
    tool: 'github_create_issue',
    parameters: { ...place, title: 'x' },
    code: 'RATE_LIMITED',
    status: 403,
    says: ['too many requests', 'secondary rate limit'],
  },
];

describe('@toolkit/github: errors', () => {
  afterEach(() => sinon.restore());

  for (const { when, server = {}, tool, parameters, code, status, says } of refusals) {
    it(`end with ${code} when ${when}, and never show the token`, async () => {
      const logger = memoryLogger();
      const { toolkit, github } = await githubToolkit(server, { logger });
      const error = await rejection(toolkit.execute(tool, parameters), code);
      expect(error.details).to.include({ tool, status });
      for (const words of says) expect(error.message).to.include(words);
      expect(github.requests).to.have.lengthOf(1);
      expect(github.requests[0]?.headers.authorization).to.equal(`Bearer ${token}`);
      expect(`${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`).to.not.include(token);
    });
  }

  it('say how long to wait until the rate limit begins anew', async () => {
    const { toolkit } = await githubToolkit({ remaining: 0 });
    sinon.useFakeTimers({ now: Date.parse('2099-12-31T23:59:00Z'), toFake: ['Date'] });
    const error = await rejection(toolkit.execute('github_get_repository', place), 'RATE_LIMITED');
    expect({ retryAfterMs: error.details.retryAfterMs, retryable: error.retryable }).to.deep.equal({
      retryAfterMs: 60_000,
      retryable: true,
    });
  });

  it('say how long to wait after too many writes', async () => {
    const { toolkit } = await githubToolkit({ retryAfterS: 90 });
    const error = await rejection(toolkit.execute('github_create_issue', { ...place, title: 'x' }), 'RATE_LIMITED');
    expect(error.details.retryAfterMs).to.equal(90_000);
  });
});
