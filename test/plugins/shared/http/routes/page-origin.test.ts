import { expect } from 'chai';
import { isOwnPage } from '../../../../../plugins/shared/http/routes/page-origin.ts';

const own = 'https://tools.example';
const foreign = 'https://evil.example';

describe('a request to a page', () => {
  const cases: readonly (readonly [origin: string | undefined, site: string | undefined, isTaken: { GET: boolean; POST: boolean }])[] = [
    [undefined, undefined, { GET: true, POST: false }],
    [undefined, 'none', { GET: true, POST: true }],
    [undefined, 'same-origin', { GET: true, POST: true }],
    [undefined, 'same-site', { GET: true, POST: false }],
    [undefined, 'cross-site', { GET: true, POST: false }],
    [undefined, 'nonsense', { GET: true, POST: false }],
    [own, undefined, { GET: true, POST: true }],
    [own, 'same-origin', { GET: true, POST: true }],
    [own, 'cross-site', { GET: false, POST: false }],
    ['http://tools.example', undefined, { GET: false, POST: false }],
    ['https://tools.example:8443', undefined, { GET: false, POST: false }],
    // Another name of this server, such as localhost for 127.0.0.1.
    ['http://localhost:3000', 'same-origin', { GET: true, POST: true }],
    ['http://localhost:3000', 'same-site', { GET: false, POST: false }],
    ['http://localhost:3000', undefined, { GET: false, POST: false }],
    // The referrer policy "no-referrer" makes it null.
    ['null', 'same-origin', { GET: true, POST: true }],
    ['null', 'none', { GET: false, POST: false }],
    ['null', 'cross-site', { GET: false, POST: false }],
    ['null', undefined, { GET: false, POST: false }],
    [foreign, undefined, { GET: false, POST: false }],
    [foreign, 'cross-site', { GET: false, POST: false }],
    [foreign, 'none', { GET: false, POST: false }],
    ['', undefined, { GET: false, POST: false }],
  ];
  for (const [origin, site, isTaken] of cases)
    it(`with Origin ${origin} and Sec-Fetch-Site ${site} is taken: GET ${isTaken.GET}, POST ${isTaken.POST}`, () => {
      const headers = { ...(origin === undefined ? {} : { origin }), ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
      const taken = { GET: isOwnPage('GET', headers, own), POST: isOwnPage('POST', headers, own) };
      expect(taken).to.deep.equal(isTaken);
    });
});
