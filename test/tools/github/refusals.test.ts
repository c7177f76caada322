import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { answered } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };

/** Errors in GitHub's words, and what becomes of them. */
const refusals: readonly {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly body: { readonly message: string; readonly errors?: readonly object[] };
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly says: string;
}[] = [
  {
    tool: 'github_create_repository',
    parameters: { name: 'hello-world' },
    status: 422,
    body: {
      message: 'Repository creation failed.',
      errors: [{ resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' }],
    },
    code: 'BAD_REQUEST',
    says: 'name: name already exists on this account',
  },
  {
    tool: 'github_list_repositories',
    parameters: { type: 'owner', visibility: 'private' },
    status: 422,
    body: { message: 'If you specify visibility or affiliation, you cannot specify type.' },
    code: 'BAD_REQUEST',
    says: 'you cannot specify type',
  },
  {
    tool: 'github_delete_repository',
    parameters: place,
    status: 403,
    body: { message: 'Must have admin rights to Repository.' },
    code: 'INSUFFICIENT_SCOPE',
    says: 'needs scope delete_repo. It says: Must have admin rights to Repository.',
  },
  {
    tool: 'github_list_commits',
    parameters: place,
    status: 409,
    body: { message: 'Git Repository is empty.' },
    code: 'BAD_REQUEST',
    says: 'Git Repository is empty.',
  },
  {
    tool: 'github_list_collaborators',
    parameters: place,
    status: 403,
    body: { message: 'Must have push access to view repository collaborators.' },
    code: 'INSUFFICIENT_SCOPE',
    says: 'needs scope repo, read:org',
  },
  {
    tool: 'github_get_issue',
    parameters: { ...place, issue_number: 42 },
    status: 410,
    body: { message: 'This issue was deleted' },
    code: 'NOT_FOUND',
    says: 'This issue was deleted',
  },
  {
    tool: 'github_create_issue',
    parameters: { ...place, title: 'x' },
    status: 410,
    body: { message: 'Issues has been disabled in this repository.' },
    code: 'NOT_FOUND',
    says: 'Issues has been disabled',
  },
  {
    tool: 'github_update_issue',
    parameters: { ...place, issue_number: 42, state: 'closed' },
    status: 403,
    body: { message: 'Repository was archived so is read-only.' },
    code: 'INSUFFICIENT_SCOPE',
    says: 'Repository was archived so is read-only.',
  },
  {
    tool: 'github_create_pull_request',
    parameters: { ...place, title: 'x', head: 'nowhere', base: 'main' },
    status: 422,
    body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'head', code: 'invalid' }] },
    code: 'BAD_REQUEST',
    says: 'Validation Failed; head: invalid',
  },
  {
    tool: 'github_create_pull_request',
    parameters: { ...place, title: 'x', head: 'fix-login', base: 'main' },
    status: 422,
    body: {
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for octo-org:fix-login.' }],
    },
    code: 'BAD_REQUEST',
    says: 'A pull request already exists for octo-org:fix-login.',
  },
  {
    tool: 'github_merge_pull_request',
    parameters: { ...place, pull_number: 7 },
    status: 405,
    body: { message: 'Pull Request is not mergeable' },
    code: 'BAD_REQUEST',
    says: 'answered 405 to "github_merge_pull_request"',
  },
  {
    tool: 'github_merge_pull_request',
    parameters: { ...place, pull_number: 7, sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
    status: 409,
    body: { message: 'Head branch was modified. Review and try the merge again.' },
    code: 'BAD_REQUEST',
    says: 'Head branch was modified. Review and try the merge again.',
  },
  {
    tool: 'github_create_release',
    parameters: { ...place, tag_name: 'v1.0.0' },
    status: 422,
    body: { message: 'Validation Failed', errors: [{ resource: 'Release', code: 'already_exists', field: 'tag_name' }] },
    code: 'BAD_REQUEST',
    says: 'tag_name: already_exists',
  },
  {
    tool: 'github_search_issues',
    parameters: { q: 'is:issue repo:octo-org/secret' },
    status: 422,
    body: {
      message: 'Validation Failed',
      errors: [{ message: 'The listed users and repositories cannot be searched', resource: 'Search', field: 'q', code: 'invalid' }],
    },
    code: 'BAD_REQUEST',
    says: 'q: The listed users and repositories cannot be searched',
  },
  {
    tool: 'github_search_repositories',
    parameters: { q: 'x', per_page: 100, page: 11 },
    status: 422,
    body: { message: 'Only the first 1000 search results are available' },
    code: 'BAD_REQUEST',
    says: 'Only the first 1000 search results are available',
  },
  {
    tool: 'github_search_code',
    parameters: { q: 'x' },
    status: 403,
    body: { message: 'API rate limit exceeded for user ID 1005.' },
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30', 'x-ratelimit-resource': 'code_search' },
    code: 'RATE_LIMITED',
    says: 'API rate limit exceeded',
  },
  {
    tool: 'github_search_users',
    parameters: { q: 'x' },
    status: 429,
    body: { message: 'You have exceeded a secondary rate limit.' },
    code: 'RATE_LIMITED',
    says: 'secondary rate limit',
  },
  {
    tool: 'github_list_code_alerts',
    parameters: place,
    status: 403,
    body: { message: 'Advanced Security must be enabled for this repository to use code scanning.' },
    code: 'INSUFFICIENT_SCOPE',
    says: 'needs scope security_events. It says: Advanced Security must be enabled',
  },
  {
    tool: 'github_list_code_alerts',
    parameters: place,
    status: 404,
    body: { message: 'no analysis found' },
    code: 'NOT_FOUND',
    says: 'no analysis found',
  },
  {
    tool: 'github_list_releases',
    parameters: place,
    status: 503,
    body: { message: 'Service unavailable' },
    code: 'UPSTREAM_UNAVAILABLE',
    says: 'the service failed',
  },
];

describe('@toolkit/github: refusals', () => {
  for (const { tool, parameters, status, body, headers = {}, code, says } of refusals) {
    it(`become ${code} for ${tool} when GitHub answers ${status}: ${body.message}`, async () => {
      const answer = { ...body, documentation_url: 'https://docs.github.com/rest', status: String(status) };
      const error = await rejection(answered(tool, parameters, answer, { status, headers }), code);
      expect(error.details).to.include({ tool, status });
      expect(error.message).to.include(says);
    });
  }
});
