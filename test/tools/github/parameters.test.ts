import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit, token } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };

describe('@toolkit/github: parameters', () => {
  const escapes = [
    { repo: 'hello/world', url: '/repos/octo-org/hello%2Fworld' },
    { repo: 'x?private=1#y', url: '/repos/octo-org/x%3Fprivate%3D1%23y' },
    { repo: 'größe', url: '/repos/octo-org/gr%C3%B6%C3%9Fe' },
  ];
  for (const { repo, url } of escapes) {
    it(`keep the name ${repo} inside its path segment`, async () => {
      const { toolkit, github } = await githubToolkit();
      await rejection(toolkit.execute('github_get_repository', { ...place, repo }), 'NOT_FOUND');
      expect(github.requests.map((request) => request.url)).to.deep.equal([url]);
    });
  }

  it('cannot add a header: a token with a line break is refused, and not shown', async () => {
    const { toolkit, github } = await githubToolkit({}, { env: { GITHUB_TOKEN: `${token}\r\nX-Forged: yes` } });
    const error = await rejection(toolkit.execute('github_get_repository', place), 'INVALID_PARAMETERS');
    expect(`${error.message}${JSON.stringify(error.details)}`).to.not.include(token);
    expect(github.requests).to.deep.equal([]);
  });
});
