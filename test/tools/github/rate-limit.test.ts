import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit } from './github-toolkit.ts';

describe('@toolkit/github: the rate limit', () => {
  afterEach(() => sinon.restore());

  it('says how long to wait until it begins anew', async () => {
    const { toolkit } = await githubToolkit({ remaining: 0 });
    sinon.useFakeTimers({ now: Date.parse('2099-12-31T23:59:00Z'), toFake: ['Date'] });
    const call = toolkit.execute('github_get_repository', { owner: 'octo-org', repo: 'hello-world' });
    const error = await rejection(call, 'RATE_LIMITED');
    expect({ retryAfterMs: error.details.retryAfterMs, retryable: error.retryable }).to.deep.equal({
      retryAfterMs: 60_000,
      retryable: true,
    });
  });
});
