import { type GitHubOptions, type GitHubServer, startGitHub } from '../../../fixtures/servers/github.ts';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { json } from '../../support/loopback.ts';
import { type PackServerOptions, packAgainst, packAlone } from '../packs.ts';

export const token = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';

const servers: GitHubServer[] = [];

/** The package against the stand-in for GitHub. The environment holds the token that opens it. */
export async function githubToolkit(
  server: GitHubOptions = {},
  options: PackServerOptions = {},
): Promise<{ readonly toolkit: Toolkit; readonly github: GitHubServer }> {
  const github = await startGitHub({ token, ...server });
  servers.push(github);
  return { github, toolkit: await packAlone('github', { env: { GITHUB_TOKEN: token }, ...options, baseUrl: github.url }) };
}

/** Runs a tool against a service that gives one and the same answer to everything. */
export async function answered(
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { toolkit } = await packAgainst('github', (_request, response) => json(response, body, 200, headers));
  return toolkit.execute(name, parameters);
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
