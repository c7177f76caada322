import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { packAlone } from '../packs.ts';
import { answered, githubToolkit } from './github-toolkit.ts';

const place = { owner: 'octo-org', repo: 'hello-world' };
const oldestFirst = { ...place, sort: 'created', direction: 'asc' };

type Page = { readonly items: { readonly number: number }[]; readonly next: { readonly page: number; readonly per_page?: number } | null };

const numbersOf = ({ items }: Page): number[] => items.map(({ number }) => number);
const from1To = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('@toolkit/github: pages', () => {
  it('are one without max_items, and "next" leads from page to page to the end', async () => {
    const { toolkit, github } = await githubToolkit({ issueCount: 65 });
    const seen: number[] = [];
    let next: Page['next'] = null;
    do {
      const page = (await toolkit.execute('github_list_issues', { ...oldestFirst, ...next })) as Page;
      seen.push(...numbersOf(page));
      next = page.next;
    } while (next !== null);
    expect(seen).to.deep.equal(from1To(65));
    expect(github.requests).to.have.lengthOf(3);
  });

  it('are as many as max_items needs, each as large as GitHub allows at most', async () => {
    const { toolkit, github } = await githubToolkit({ issueCount: 250 });
    const output = (await toolkit.execute('github_list_issues', { ...oldestFirst, max_items: 1000 })) as Page;
    expect(numbersOf(output)).to.deep.equal(from1To(250));
    expect(output.next).to.equal(null);
    const queries = github.requests.map(({ url }) => new URL(url, 'http://localhost').searchParams);
    expect(queries.map((query) => [query.get('per_page'), query.get('page')])).to.deep.equal([
      ['100', '1'],
      ['100', '2'],
      ['100', '3'],
    ]);
  });

  it('go on where a call ended, with nothing lost and nothing twice', async () => {
    const { toolkit } = await githubToolkit({ issueCount: 250 });
    const first = (await toolkit.execute('github_list_issues', { ...oldestFirst, max_items: 130 })) as Page;
    const rest = (await toolkit.execute('github_list_issues', { ...oldestFirst, ...first.next, max_items: 500 })) as Page;
    expect(numbersOf(first)).to.deep.equal(from1To(130));
    expect([...numbersOf(first), ...numbersOf(rest)]).to.deep.equal(from1To(250));
    expect(rest.next).to.equal(null);
  });

  it('that GitHub refuses because they are deep say how far the call got', async () => {
    const { toolkit } = await githubToolkit({ issueCount: 500, lastPage: 3 });
    const error = await rejection(toolkit.execute('github_list_issues', { ...place, max_items: 500 }), 'BAD_REQUEST');
    expect(error.message).to.include('Pagination with the page parameter is not supported for large datasets');
    expect(error.details).to.deep.include({ status: 422, partial: true, items: 300, resume: { page: 4, per_page: 100 } });
  });

  it('behind the rate limit can be had later', async () => {
    const { toolkit } = await githubToolkit({ issueCount: 250, remaining: 2 });
    const error = await rejection(toolkit.execute('github_list_issues', { ...oldestFirst, max_items: 250 }), 'RATE_LIMITED');
    const { items, resume } = error.details as { items: number; resume: object };
    const { toolkit: later } = await githubToolkit({ issueCount: 250 });
    const rest = (await later.execute('github_list_issues', { ...oldestFirst, ...resume, max_items: 250 })) as Page;
    expect(numbersOf(rest)).to.deep.equal(from1To(250).slice(items));
  });

  it('of a search end where GitHub gives no more, although it counts more', async () => {
    const body = { total_count: 5210, incomplete_results: false, items: [] };
    const link = '<https://api.github.com/search/users?q=x&per_page=100&page=9>; rel="prev"';
    const output = await answered('github_search_users', { q: 'x', per_page: 100, page: 10 }, body, { link });
    expect(output).to.deep.equal({ ...body, next: null });
  });

  it('of code alerts are counted where the links lead to a cursor', async () => {
    const link = '<https://api.github.com/repositories/1/code-scanning/alerts?per_page=30&after=QUxFUlQ>; rel="next"';
    expect(await answered('github_list_code_alerts', place, [], { link })).to.deep.equal({
      items: [],
      next: { per_page: 30, page: 2 },
    });
  });

  for (const name of ['repositories', 'code', 'issues', 'users']) {
    it(`of a search for ${name} are not asked for beyond the 1000 results that GitHub gives`, async () => {
      const toolkit = await packAlone('github');
      const error = await rejection(toolkit.execute(`github_search_${name}`, { q: 'x', max_items: 1001 }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('max_items');
    });
  }
});
