import { ask } from '../../../plugins/console/request.ts';
import type { Attack } from '../attack.ts';
import { assetsInMemory, oneAnswer, pathsAsSent } from '../defences/paths.ts';

/** Spellings of `/console/api/tools`, each with its trick. */
const spellings: Readonly<Record<string, string>> = {
  'with a step up': '/console/x/../api/tools',
  'with a step up to the root': '/console/../console/api/tools',
  'with an encoded step up': '/console/x/%2e%2e/api/tools',
  'with a step up that is encoded twice': '/console/x/%252e%252e/api/tools',
  'with an encoded slash': '/console/api%2ftools',
  'with an encoded letter': '/console/%61pi/tools',
  'with a double slash': '/console//api/tools',
  'with a dot as segment': '/console/./api/tools',
  'in capitals': '/console/API/tools',
  'with a dot at the end of a segment': '/console/api./tools',
  'with parameters of a segment': '/console/api;a=b/tools',
  'with a backslash': '/console/\\api\\tools',
  'below the assets': '/console/assets/../api/tools',
  'below the login': '/console/login/../api/tools',
};

/** Pairs of a path that exists and one that does not. */
const pairs: readonly (readonly [what: string, exists: string, not: string])[] = [
  ['a path of the API', '/console/api/tools', '/console/api/other'],
  ['the page', '/console', '/console/'],
  ['a record of the inbox', '/console/api/approvals', '/console/api/approvalz'],
];

const upwards = Array.from({ length: 16 }, (_, index) => index + 1);

/** Paths of a file of this machine, below the assets. */
const files: Readonly<Record<string, (up: number) => string>> = {
  'by steps up': (up) => `/console/assets/${'../'.repeat(up)}etc/passwd`,
  'by encoded steps up': (up) => `/console/assets/${'%2e%2e/'.repeat(up)}etc/passwd`,
  'by encoded slashes': (up) => `/console/assets/${'..%2f'.repeat(up)}etc%2fpasswd`,
};

/** Other spellings of paths, of a stranger. */
export const paths: readonly Attack[] = [
  ...Object.entries(spellings).map(
    ([trick, path]): Attack => ({
      kind: 'path',
      name: `reads the tools by a path ${trick}`,
      request: `GET ${path} without a cookie`,
      expected: 401,
      defence: pathsAsSent,
      async run(target) {
        const { port } = await target.site();
        const { status, body } = await ask(port, path);
        return { succeeded: body.includes('"Gives its parameters back."'), seen: status };
      },
    }),
  ),
  ...pairs.map(
    ([what, exists, not]): Attack => ({
      kind: 'path',
      name: `learns that ${what} exists`,
      request: `GET ${exists} and GET ${not} without a cookie`,
      expected: 401,
      defence: oneAnswer,
      async run(target) {
        const { port } = await target.site();
        const [one, other] = [await ask(port, exists), await ask(port, not)];
        const differ =
          one.status !== other.status || one.body !== other.body || one.headers['content-length'] !== other.headers['content-length'];
        return { succeeded: differ, seen: other.status };
      },
    }),
  ),
  ...Object.entries(files).map(
    ([trick, path]): Attack => ({
      kind: 'path',
      name: `reads a file of the machine ${trick}`,
      request: `GET ${path(3)}, with up to 16 steps`,
      expected: 401,
      defence: assetsInMemory,
      async run(target) {
        const { port } = await target.site();
        const answers = await Promise.all(upwards.map((up) => ask(port, path(up))));
        const read = answers.find(({ body }) => body.includes('root:'));
        return { succeeded: read !== undefined, seen: (read ?? answers[0])?.status ?? 0 };
      },
    }),
  ),
  {
    kind: 'path',
    name: 'reads a file beside the assets',
    request: 'GET /console/assets/assets.json without a cookie',
    expected: 401,
    defence: assetsInMemory,
    async run(target) {
      const { port } = await target.site();
      const { status, body } = await ask(port, '/console/assets/assets.json');
      return { succeeded: body.includes('"script"'), seen: status };
    },
  },
];
