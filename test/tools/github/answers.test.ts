import { expect } from 'chai';
import { type Body, issue, repository } from '../../../fixtures/servers/github-bodies.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { githubToolkit, installedToolkit } from './github-toolkit.ts';

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

/** Runs a tool against a GitHub that answers with this body. */
async function answered(name: string, body: unknown): Promise<unknown> {
  const { url } = await loopback((_request, response) => json(response, body));
  const toolkit = await installedToolkit({ baseUrl: url });
  return toolkit.execute(name, { ...place, ...(name === 'github_create_issue' ? { title: 'x' } : {}) });
}

function without(body: Body, key: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}

describe('@toolkit/github: answers', () => {
  it('come whole, fields that GitHub adds later included', async () => {
    const { toolkit } = await githubToolkit();
    expect(await toolkit.execute('github_get_repository', place)).to.deep.equal(oneRepository);
  });

  it('lead from page to page, and no issue is lost', async () => {
    const { toolkit } = await githubToolkit();
    const seen: number[] = [];
    for (let page = 1; ; page++) {
      const entries = (await toolkit.execute('github_list_issues', { ...place, state: 'all', per_page: 2, page })) as { number: number }[];
      seen.push(...entries.map(({ number }) => number));
      if (entries.length < 2) break;
    }
    expect(seen).to.deep.equal([7, 6, 5, 4, 3]);
  });

  it('may hold null wherever GitHub may send it', async () => {
    const nothing = { description: null, homepage: null, language: null, license: null, mirror_url: null, organization: null };
    expect(await answered('github_get_repository', { ...oneRepository, ...nothing })).to.include(nothing);
    const bare = {
      body: null,
      user: null,
      assignee: null,
      milestone: null,
      closed_by: null,
      type: null,
      state_reason: null,
      active_lock_reason: null,
    };
    expect(await answered('github_create_issue', { ...oneIssue, ...bare })).to.include(bare);
    expect(await answered('github_list_issues', [{ ...oneIssue, ...bare }])).to.have.lengthOf(1);
  });

  it('may name labels by text alone', async () => {
    expect(await answered('github_list_issues', [{ ...oneIssue, labels: ['bug'] }])).to.have.nested.property('[0].labels[0]', 'bug');
  });

  it('may be an empty list', async () => {
    expect(await answered('github_list_issues', [])).to.deep.equal([]);
  });

  const broken: readonly { tool: string; what: string; body: unknown; says: string }[] = [
    ...['id', 'full_name', 'owner', 'default_branch', 'license', 'archive_url', 'pushed_at', 'subscribers_count'].map((key) => ({
      tool: 'github_get_repository',
      what: `lacks ${key}`,
      body: without(oneRepository, key),
      says: `${key} is required`,
    })),
    ...['number', 'title', 'user', 'milestone', 'closed_at', 'html_url'].map((key) => ({
      tool: 'github_create_issue',
      what: `lacks ${key}`,
      body: without(oneIssue, key),
      says: `${key} is required`,
    })),
    {
      tool: 'github_get_repository',
      what: 'has no owner',
      body: { ...oneRepository, owner: null },
      says: 'owner expected object, received null',
    },
    {
      tool: 'github_get_repository',
      what: 'has a wrong time',
      body: { ...oneRepository, pushed_at: 'yesterday' },
      says: 'pushed_at expected to match format',
    },
    {
      tool: 'github_create_issue',
      what: 'has an unknown state',
      body: { ...oneIssue, state: 'ajar' },
      says: 'state expected one of "open", "closed"',
    },
    {
      tool: 'github_create_issue',
      what: 'has an assignee without a login',
      body: { ...oneIssue, assignees: [{}] },
      says: 'assignees[0].login is required',
    },
    { tool: 'github_list_issues', what: 'is no list', body: oneIssue, says: 'expected array, received object' },
    {
      tool: 'github_list_issues',
      what: 'has an issue without a number',
      body: [oneIssue, without(oneIssue, 'number')],
      says: '[1].number is required',
    },
  ];
  for (const { tool, what, body, says } of broken) {
    it(`${tool} refuses an answer that ${what}`, async () => {
      const error = await rejection(answered(tool, body), 'OUTPUT_INVALID');
      const issues = (error.details.issues ?? []).map(({ path, message }) => `${path} ${message}`.trim());
      expect(
        issues.some((found) => found.startsWith(says)),
        issues.join('; '),
      ).to.equal(true);
    });
  }
});
