import { expect } from 'chai';
import { type Body, issue, repository } from '../../../fixtures/servers/github-bodies.ts';
import { rejection } from '../../support/rejection.ts';
import { exampleFixtures } from '../request-fixtures.ts';
import { answered, githubToolkit } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };
const oneIssue = issue('octo-org', 'hello-world', {
  number: 1,
  title: 'x',
  assignees: ['mona'],
  labels: ['bug'],
  hasMilestone: true,
  isPullRequest: true,
});
const oneRepository = repository('octo-org', 'hello-world');
const fixtures = await exampleFixtures('github');

/** The answer of GitHub to the first example of a tool. */
const firstAnswer = (tool: string): Body => fixtures.get(tool)?.[0]?.answers[0]?.body as Body;
const onePull = (firstAnswer('github_list_pull_requests') as unknown as Body[])[0] ?? {};

function without(body: Body, key: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}

describe('@toolkit/github: answers', () => {
  it('come whole, fields that GitHub adds later included', async () => {
    const { toolkit } = await githubToolkit();
    expect(await toolkit.execute('github_get_repository', place)).to.deep.equal(oneRepository);
    const { items } = (await toolkit.execute('github_list_issues', { ...place, max_items: 1 })) as { items: Body[] };
    expect(items[0]).to.deep.include({ added_later: true, performed_via_github_app: null });
  });

  const nulls = {
    github_get_repository: {
      description: null,
      homepage: null,
      language: null,
      license: null,
      mirror_url: null,
      organization: null,
      parent: null,
    },
    github_get_issue: { body: null, user: null, milestone: null, closed_by: null, type: null, state_reason: null, assignees: null },
  };
  it('may hold null wherever GitHub may send it', async () => {
    const { github_get_repository: ofRepository, github_get_issue: ofIssue } = nulls;
    expect(await answered('github_get_repository', place, { ...oneRepository, ...ofRepository })).to.include(ofRepository);
    expect(await answered('github_get_issue', { ...place, issue_number: 1 }, { ...oneIssue, ...ofIssue })).to.include(ofIssue);
    const head = { ...(onePull['head'] as Body), user: null, repo: null };
    const pull = { ...onePull, user: null, body: null, head, auto_merge: null };
    expect(await answered('github_list_pull_requests', place, [pull])).to.deep.equal({ items: [pull], next: null });
  });

  it('may name labels by text alone', async () => {
    const output = await answered('github_list_issues', place, [{ ...oneIssue, labels: ['bug'] }]);
    expect(output).to.have.nested.property('items[0].labels[0]', 'bug');
  });

  it('may be an empty list', async () => {
    expect(await answered('github_list_issues', place, [])).to.deep.equal({ items: [], next: null });
  });

  it('say that a search stopped early', async () => {
    const body = { total_count: 5000, incomplete_results: true, items: [] };
    expect(await answered('github_search_code', { q: 'x' }, body)).to.deep.equal({ ...body, next: null });
  });

  const broken: readonly { tool: string; parameters?: Body; what: string; body: unknown; says: string }[] = [
    ...['id', 'full_name', 'owner', 'default_branch', 'license', 'pushed_at', 'subscribers_count'].map((key) => ({
      tool: 'github_get_repository',
      what: `lacks ${key}`,
      body: without(oneRepository, key),
      says: `${key} is required`,
    })),
    ...['number', 'title', 'user', 'milestone', 'closed_at', 'html_url', 'repository_url'].map((key) => ({
      tool: 'github_get_issue',
      parameters: { issue_number: 1 },
      what: `lacks ${key}`,
      body: without(oneIssue, key),
      says: `${key} is required`,
    })),
    {
      tool: 'github_get_repository',
      what: 'has a wrong time',
      body: { ...oneRepository, pushed_at: 'yesterday' },
      says: 'pushed_at expected to match format',
    },
    {
      tool: 'github_get_issue',
      parameters: { issue_number: 1 },
      what: 'has an assignee without a login',
      body: { ...oneIssue, assignees: [without(firstAssignee(), 'login')] },
      says: 'assignees[0].login is required',
    },
    { tool: 'github_list_issues', what: 'is no list', body: oneIssue, says: 'items is required' },
    {
      tool: 'github_list_issues',
      what: 'has an issue without a number',
      body: [oneIssue, without(oneIssue, 'number')],
      says: 'items[1].number is required',
    },
    {
      tool: 'github_list_pull_requests',
      what: 'has a branch without a commit',
      body: [{ ...onePull, head: without(onePull['head'] as Body, 'sha') }],
      says: 'items[0].head.sha is required',
    },
    {
      tool: 'github_search_users',
      parameters: { q: 'x' },
      what: 'has a person without a login',
      body: { total_count: 1, incomplete_results: false, items: [{ id: 1 }] },
      says: 'items[0].login is required',
    },
    {
      tool: 'github_search_repositories',
      parameters: { q: 'x' },
      what: 'does not count',
      body: { incomplete_results: false, items: [] },
      says: 'total_count is required',
    },
    { tool: 'github_delete_repository', what: 'says something', body: { done: true }, says: 'expected one of null' },
    {
      tool: 'github_merge_pull_request',
      parameters: { pull_number: 7 },
      what: 'does not say whether it merged',
      body: { sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15', message: '' },
      says: 'merged is required',
    },
    {
      tool: 'github_add_collaborator',
      parameters: { username: 'mona' },
      what: 'is an invitation without a page',
      body: without(firstAnswer('github_add_collaborator'), 'html_url'),
      says: 'html_url is required',
    },
    {
      tool: 'github_update_code_alert',
      parameters: { alert_number: 3, state: 'open' },
      what: 'lacks the number',
      body: without(firstAnswer('github_update_code_alert'), 'number'),
      says: 'number is required',
    },
  ];
  for (const key of ['title', 'user', 'milestone', 'closed_at', 'repository_url'])
    it(`github_create_issue takes an answer that lacks ${key}: the issue is there`, async () => {
      const body = without(oneIssue, key);
      expect(await answered('github_create_issue', { ...place, title: 'x' }, body)).to.deep.equal(body);
    });

  for (const { tool, parameters = {}, what, body, says } of broken) {
    it(`${tool} refuses an answer that ${what}`, async () => {
      const whole = tool.startsWith('github_search_') ? parameters : { ...place, ...parameters };
      const error = await rejection(answered(tool, whole, body), 'OUTPUT_INVALID');
      const issues = (error.details.issues ?? []).map(({ path, message }) => `${path} ${message}`.trim());
      expect(
        issues.some((found) => found.startsWith(says)),
        issues.join('; '),
      ).to.equal(true);
    });
  }
});

function firstAssignee(): Body {
  return (oneIssue['assignees'] as Body[])[0] ?? {};
}
