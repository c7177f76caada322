import { lostCalls, secondsOf } from '../lost-calls.ts';

const repository = '/repos/octo-org/hello-world';
const draft = 'it was to be a draft, which GitHub does not date';

lostCalls('github', [
  {
    tool: 'github_create_issue',
    asks: (at) => [`${repository}/issues?`, 'state=all', `since=${secondsOf(at - 120_000)}`],
    tells: (issue, at) => [{ ...issue, created_at: secondsOf(at) }],
    tellsNothing: [],
    open: {
      'another issue was opened meanwhile': (issue, at) => [{ ...issue, title: 'Something else', created_at: secondsOf(at) }],
      'its text is another one': (issue, at) => [{ ...issue, body: 'Something else', created_at: secondsOf(at) }],
      'two of them were opened': (issue, at) => [issue, { ...issue, number: 9 }].map((one) => ({ ...one, created_at: secondsOf(at) })),
    },
  },
  {
    tool: 'github_create_issue',
    example: 1,
    asks: () => [`${repository}/issues?`],
    tells: (issue, at) => [{ ...issue, created_at: secondsOf(at) }],
    tellsNothing: [],
  },
  {
    tool: 'github_create_pull_request',
    asks: () => [`${repository}/pulls?`, 'state=all', 'base=main', 'sort=created'],
    tells: (pull, at) => [{ ...pull, created_at: secondsOf(at) }],
    tellsNothing: [],
  },
  {
    tool: 'github_create_pull_request',
    example: 1,
    asks: () => ['base=release/2.x'],
    tells: (pull, at) => [{ ...pull, created_at: secondsOf(at) }],
    tellsNothing: [],
  },
  {
    tool: 'github_create_release',
    asks: () => [`${repository}/releases?`],
    tells: (release, at) => [{ ...release, published_at: secondsOf(at) }],
    tellsNothing: [],
  },
  { tool: 'github_create_release', example: 1, asks: () => [], tellsNothing: [], open: { [draft]: () => [] } },
  {
    tool: 'github_create_repository',
    asks: () => ['/user/repos?', 'affiliation=owner', 'sort=created'],
    tells: (made, at) => [{ ...made, created_at: secondsOf(at) }],
    tellsNothing: [],
  },
]);
