import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit, token } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };

describe('@toolkit/github: parameters', () => {
  const wrong: readonly { tool: string; parameters: Readonly<Record<string, unknown>>; says: string }[] = [
    { tool: 'github_get_repository', parameters: { owner: 'octo-org' }, says: 'repo is required' },
    { tool: 'github_get_repository', parameters: { ...place, owner: '..' }, says: '"." and ".."' },
    { tool: 'github_delete_repository', parameters: { ...place, repo: '' }, says: 'at least one character' },
    { tool: 'github_list_repositories', parameters: { type: 'mine' }, says: 'type expected one of "all", "owner"' },
    { tool: 'github_list_issues', parameters: { ...place, state: 'opened' }, says: 'state expected one of "open", "closed", "all"' },
    { tool: 'github_list_issues', parameters: { ...place, per_page: 101 }, says: 'per_page' },
    { tool: 'github_list_issues', parameters: { ...place, page: 0 }, says: 'page' },
    { tool: 'github_list_issues', parameters: { ...place, max_items: 0 }, says: 'max_items' },
    { tool: 'github_list_issues', parameters: { ...place, since: 'yesterday' }, says: 'since' },
    { tool: 'github_get_issue', parameters: { ...place, issue_number: '#42' }, says: 'issue_number expected integer' },
    { tool: 'github_create_issue', parameters: place, says: 'title is required' },
    { tool: 'github_create_issue', parameters: { ...place, title: 'x', labels: 'bug' }, says: 'labels expected array' },
    { tool: 'github_create_issue', parameters: { ...place, title: 'x', lables: ['bug'] }, says: 'Did you mean "labels"' },
    { tool: 'github_create_pull_request', parameters: { ...place, title: 'x', head: 'y' }, says: 'base is required' },
    {
      tool: 'github_merge_pull_request',
      parameters: { ...place, pull_number: 7, merge_method: 'ff' },
      says: '"merge", "squash", "rebase"',
    },
    { tool: 'github_create_release', parameters: { ...place, tag_name: 'v1', make_latest: true }, says: 'make_latest' },
    { tool: 'github_search_code', parameters: { q: '' }, says: 'q' },
    {
      tool: 'github_update_code_alert',
      parameters: { ...place, alert_number: 3, state: 'dismissed', dismissed_reason: 'wontfix' },
      says: '"false positive", "won\'t fix"',
    },
    {
      tool: 'github_update_code_alert',
      parameters: { ...place, alert_number: 3, state: 'dismissed', dismissed_comment: 'x'.repeat(281) },
      says: 'dismissed_comment',
    },
  ];
  for (const { tool, parameters, says } of wrong) {
    it(`of ${tool} are refused, and nothing is sent: ${says}`, async () => {
      const { toolkit, github } = await githubToolkit();
      const error = await rejection(toolkit.execute(tool, parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(github.requests).to.deep.equal([]);
    });
  }

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
