import { expect } from 'chai';
import { challengeOf } from '../../../../plugins/shared/http/challenge.ts';

const read = (header: string): unknown => challengeOf({ headers: new Headers({ 'www-authenticate': header }) });

const metadataUrl = 'https://shop.example/.well-known/oauth-protected-resource';

const cases: readonly (readonly [string, string, unknown])[] = [
  ['the address of metadata', `Bearer resource_metadata="${metadataUrl}"`, { scopes: [], metadataUrl }],
  [
    'an error and its scopes',
    `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadataUrl}"`,
    { error: 'insufficient_scope', scopes: ['read', 'write'], metadataUrl },
  ],
  ['values without quotes, and other case', 'bearer Error=invalid_token , SCOPE=read', { error: 'invalid_token', scopes: ['read'] }],
  ['escapes in quotes', String.raw`Bearer error="a \"quoted\" word"`, { error: 'a "quoted" word', scopes: [] }],
  ['no parameters', 'Bearer', { scopes: [] }],
  ['another scheme before it', 'Basic realm="a, Bearer error=x", Bearer scope="read"', { scopes: ['read'] }],
  ['another scheme after it', 'Bearer scope="read", DPoP scope="write", error="x"', { scopes: ['read'] }],
  ['the first of a repeated parameter', 'Bearer scope="read", scope="admin"', { scopes: ['read'] }],
  ['no scopes with characters that none has', 'Bearer scope="read w\u00e9 \\\\"', { scopes: ['read'] }],
];

describe('the challenge of a server', () => {
  for (const [what, header, expected] of cases)
    it(`has ${what}`, () => {
      expect(read(header)).to.deep.equal(expected);
    });

  for (const header of ['', 'Basic realm="shop"', 'BearerX scope="read"', 'Negotiate abcd=='])
    it(`is none in ${JSON.stringify(header)}`, () => {
      expect(read(header)).to.equal(undefined);
    });

  it('is read in little time, whatever a server writes', () => {
    const texts = [
      'Bearer '.repeat(100_000),
      `Bearer ${'a="'.repeat(100_000)}`,
      `Bearer ${'\\'.repeat(200_000)}`,
      `${'='.repeat(200_000)}`,
    ];
    for (const text of texts) expect(() => read(text)).not.to.throw();
  });
});
