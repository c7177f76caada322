import { expect } from 'chai';
import { githubToolkit, installedToolkit, token } from './github-toolkit.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** What of the answer shows that the right thing came back. */
  readonly answer: unknown;
}

const issues = '/repos/octo-org/hello-world/issues';

/** The request and the answer of every example, by tool and description. */
const expected: Readonly<Record<string, Readonly<Record<string, Sent>>>> = {
  github_get_repository: {
    'A repository of an organisation': { method: 'GET', url: '/repos/octo-org/hello-world', answer: 'octo-org/hello-world' },
    'A repository whose name has dots': { method: 'GET', url: '/repos/mona/mona.github.io', answer: 'mona/mona.github.io' },
  },
  github_list_issues: {
    'The open issues of a repository': {
      method: 'GET',
      url: `${issues}?state=open&sort=created&direction=desc&per_page=30&page=1`,
      answer: [7, 6, 3],
    },
    'The second page of all bugs, the least recently updated first': {
      method: 'GET',
      url: `${issues}?state=all&labels=bug%2Cgood+first+issue&sort=updated&direction=asc&per_page=2&page=2`,
      answer: [6],
    },
    'What nobody has taken since the new year': {
      method: 'GET',
      url: `${issues}?milestone=*&state=open&assignee=none&sort=created&direction=desc&since=2026-01-01T00%3A00%3A00%2B01%3A00&per_page=30&page=1`,
      answer: [6],
    },
  },
  github_create_issue: {
    'A title is enough': {
      method: 'POST',
      url: issues,
      body: { title: 'Login fails with a blank page' },
      answer: 'Login fails with a blank page',
    },
    'Everything that can be said about an issue': {
      method: 'POST',
      url: issues,
      body: {
        title: 'Export: "Größe" & 100 % of the names are broken',
        body: '## Steps\n\n1. Open the export\n2. Look at {name}\n',
        assignees: ['mona', 'hubot'],
        labels: ['bug', 'good first issue'],
        milestone: 1,
      },
      answer: 'Export: "Größe" & 100 % of the names are broken',
    },
  },
};

const toldBy: Readonly<Record<string, (output: never) => unknown>> = {
  github_get_repository: ({ full_name: name }: { full_name: string }) => name,
  github_list_issues: (output: readonly { number: number }[]) => output.map(({ number }) => number),
  github_create_issue: ({ title }: { title: string }) => title,
};

describe('@toolkit/github: requests', () => {
  it('are known for every example of every tool', async () => {
    const tools = (await installedToolkit()).listTools().filter(({ provider }) => provider?.name === 'github');
    const examples = tools.map(({ name, definition }) => [name, (definition.examples ?? []).map(({ description }) => description)]);
    expect(Object.fromEntries(examples)).to.deep.equal(
      Object.fromEntries(Object.entries(expected).map(([name, described]) => [name, Object.keys(described)])),
    );
  });

  for (const [name, described] of Object.entries(expected)) {
    for (const [description, { method, url, body, answer }] of Object.entries(described)) {
      it(`${name}, "${description}", sends ${method} ${url}`, async () => {
        const { toolkit, github } = await githubToolkit();
        const { examples = [] } = toolkit.kernel.registry.get(name).definition;
        const example = examples.find((candidate) => candidate.description === description);
        const output = await toolkit.execute(name, example?.parameters);
        expect(toldBy[name]?.(output as never)).to.deep.equal(answer);
        expect(github.requests).to.have.lengthOf(1);
        const [request] = github.requests;
        expect({ method: request?.method, url: request?.url, body: request?.body && JSON.parse(request.body) }).to.deep.equal({
          method,
          url,
          body: body ?? '',
        });
        expect(request?.headers).to.include({
          authorization: `Bearer ${token}`,
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
          'user-agent': 'toolkit',
        });
        expect(request?.headers['content-type']).to.equal(body === undefined ? undefined : 'application/json');
      });
    }
  }

  const escapes = [
    { owner: 'octo-org', repo: 'hello/world', url: '/repos/octo-org/hello%2Fworld' },
    { owner: 'octo-org', repo: 'x?private=1#y', url: '/repos/octo-org/x%3Fprivate%3D1%23y' },
  ];
  for (const { owner, repo, url } of escapes) {
    it(`keeps the name ${repo} inside its path segment`, async () => {
      const { toolkit, github } = await githubToolkit();
      await toolkit.execute('github_get_repository', { owner, repo }).catch(() => {});
      expect(github.requests.map((request) => request.url)).to.deep.equal([url]);
    });
  }
});
