import { expect } from 'chai';
import type { HttpRoute } from '../../../../../kernel/index.ts';
import { send } from '../../../mcp/support/wire.ts';
import { served } from './served-routes.ts';

const kB = 1024;

describe('the body of a POST to a route', () => {
  const cases: readonly (readonly [maxBodyBytes: number | undefined, size: number, status: number])[] = [
    [undefined, 64 * kB, 200],
    [undefined, 64 * kB + 1, 413],
    [10, 10, 200],
    [10, 11, 413],
    [1024 * kB, 1024 * kB, 200],
    [1024 * kB, 1024 * kB + 1, 413],
  ];
  for (const [maxBodyBytes, size, status] of cases)
    for (const body of ['form', 'json'] as const)
      it(`of ${size} bytes, as ${body}, at a route with maxBodyBytes ${maxBodyBytes}: ${status}`, async () => {
        const route: HttpRoute = {
          path: '/form',
          methods: ['POST'],
          body,
          ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
          handle: ({ form, text }) => ({ status: 200, body: String((text ?? [...form.keys()][0])?.length) }),
        };
        const { port } = await served(route);
        const type = body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
        const headers = { authorization: undefined, 'content-type': type, 'sec-fetch-site': 'same-origin' };
        const answer = await send(port, { path: '/form', headers, body: 'a'.repeat(size) });
        expect(answer.status).to.equal(status);
        expect(answer.body).to.equal(
          status === 200
            ? String(size)
            : `The ${body === 'json' ? 'JSON' : 'form'} has ${size} bytes; at most ${maxBodyBytes ?? 64 * kB} are taken.\n`,
        );
      });
});
