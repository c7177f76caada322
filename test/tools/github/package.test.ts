import { expect } from 'chai';
import type { Tool } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { githubToolkit, token } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };

async function ownTools(): Promise<readonly Tool[]> {
  return (await packToolkit('github')).listTools().filter(({ provider }) => provider?.name === 'github');
}

describe('@toolkit/github', () => {
  it('needs the token, for every tool, and nothing else', async () => {
    const tools = await ownTools();
    expect(tools).to.have.lengthOf(22);
    for (const { name, credentials } of tools)
      expect(credentials, name).to.deep.equal([{ name: 'GITHUB_TOKEN', secret: 'GITHUB_TOKEN', required: true, isSecret: true }]);
  });

  it('has a person asked before it deletes, merges, publishes or lets somebody in', async () => {
    const tools = await ownTools();
    const gated = tools.filter(({ definition }) => definition.requires_approval !== undefined).map(({ name }) => name);
    expect(gated).to.deep.equal([
      'github_add_collaborator',
      'github_create_release',
      'github_delete_repository',
      'github_merge_pull_request',
    ]);
    expect(tools.filter(({ risk }) => risk === 'high').map(({ name }) => name)).to.deep.equal([
      'github_delete_repository',
      'github_merge_pull_request',
    ]);
    const reading = tools.filter(({ name }) => /_(get|list|search)_/.test(name));
    expect(reading.map(({ risk, annotations }) => [risk, annotations.readOnlyHint])).to.deep.equal(reading.map(() => ['low', true]));
  });

  it('goes page by page wherever GitHub does', async () => {
    const tools = await ownTools();
    const paged = tools.filter(({ definition }) => Object.hasOwn(definition, 'paginate')).map(({ name }) => name);
    expect(paged).to.deep.equal(tools.map(({ name }) => name).filter((name) => /_(list|search)_/.test(name)));
  });

  it('takes the token from TOOLKIT_GITHUB_TOKEN before GITHUB_TOKEN, and from the call before both', async () => {
    const { toolkit, github } = await githubToolkit({}, { env: { TOOLKIT_GITHUB_TOKEN: token, GITHUB_TOKEN: 'ghp_other' } });
    await toolkit.execute('github_get_repository', place);
    await rejection(toolkit.execute('github_get_repository', { ...place, GITHUB_TOKEN: 'ghp_of_the_call' }), 'AUTH_FAILED');
    expect(github.requests.map(({ headers }) => headers.authorization)).to.deep.equal([`Bearer ${token}`, 'Bearer ghp_of_the_call']);
  });

  it('keeps the tokens of calls that run at the same time apart', async () => {
    const { toolkit, github } = await githubToolkit({}, { env: {} });
    const repos = ['a', 'b', 'c'];
    await Promise.all(
      repos.map((repo) =>
        rejection(toolkit.execute('github_get_issue', { ...place, repo, issue_number: 1, GITHUB_TOKEN: `ghp_of_${repo}` }), 'AUTH_FAILED'),
      ),
    );
    const seen = github.requests.map(({ url, headers }) => `${url} ${headers.authorization}`).sort();
    expect(seen).to.deep.equal(repos.map((repo) => `/repos/octo-org/${repo}/issues/1 Bearer ghp_of_${repo}`));
  });

  it('asks for consent as GitHub wants it: scopes with spaces, and a code challenge', async () => {
    const env = { GITHUB_CLIENT_ID: 'Iv1.0123456789abcdef', GITHUB_REDIRECT_URI: 'https://app.example/callback' };
    const toolkit = await packToolkit('github', { env });
    const { url, codeVerifier } = await toolkit.authorizationUrl('github', { groups: ['repository', 'organisation'] });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).to.equal('https://github.com/login/oauth/authorize');
    expect(searchParams.get('scope')).to.equal('repo read:org');
    expect(searchParams.get('client_id')).to.equal(env.GITHUB_CLIENT_ID);
    expect(searchParams.get('code_challenge_method')).to.equal('S256');
    expect(codeVerifier).to.match(/^[\w-]{43}$/);
  });
});
