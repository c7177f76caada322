import { expect } from 'chai';
import { readPaths, readValue } from '../read-value.ts';

const schemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, basic: { type: 'http', scheme: 'Basic' } };
const components = { securitySchemes: schemes };

describe('the security of an operation', () => {
  const cases: Record<string, [own: unknown, expected: readonly (readonly string[])[], note?: RegExp]> = {
    'that of the document': [undefined, [['key']]],
    none: [[], []],
    'its own alternatives': [
      [{ key: [], basic: [] }, { basic: [] }],
      [['key', 'basic'], ['basic']],
    ],
    'also none as an alternative': [
      [{ key: [] }, {}],
      [['key'], []],
    ],
    'an object in place of the list': ['x', [['key']]],
    'no alternative that the document does not define': [[{ gone: [] }, { basic: [] }], [['basic']], /"gone" is not defined/],
    'none that every object has': [[{ toString: [] }], [], /"toString" is not defined/],
  };
  for (const [name, [security, expected, note]] of Object.entries(cases)) {
    it(`is ${name}`, async () => {
      const { operations } = await readPaths({ '/a': { get: { security } } }, { security: [{ key: [] }], components });
      expect(operations[0]?.security.map((uses) => uses.map(({ scheme }) => scheme))).to.deep.equal(expected);
      if (note !== undefined) expect(operations[0]?.notes?.[0]).to.match(note);
    });
  }

  it('has the scopes', async () => {
    const { operations } = await readPaths({ '/a': { get: { security: [{ key: ['read', 1] }] } } }, { components });
    expect(operations[0]?.security).to.deep.equal([[{ scheme: 'key', scopes: ['read'] }]]);
  });
});

describe('security schemes', () => {
  const flow = { authorizationUrl: 'https://x.test/a', tokenUrl: 'https://x.test/t', scopes: { read: 'Read', bad: 3 } };
  const valid: Record<string, [scheme: object, expected: object]> = {
    'a key': [schemes.key, { type: 'apiKey', in: 'header', parameter: 'X-Key' }],
    'HTTP, in lower case': [schemes.basic, { type: 'http', scheme: 'basic' }],
    bearer: [
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    ],
    'OpenID Connect': [
      { type: 'openIdConnect', openIdConnectUrl: 'https://x.test' },
      { type: 'openIdConnect', url: 'https://x.test' },
    ],
    'mutual TLS': [{ type: 'mutualTLS' }, { type: 'mutualTLS' }],
    'OAuth 2': [
      { type: 'oauth2', flows: { authorizationCode: flow, deviceAuthorization: flow } },
      { type: 'oauth2', flows: [{ grant: 'authorizationCode', ...flow, scopes: { read: 'Read', bad: '' } }] },
    ],
    'OAuth 2 of 2.0': [
      { type: 'oauth2', flow: 'accessCode', ...flow },
      { type: 'oauth2', flows: [{ grant: 'authorizationCode', ...flow, scopes: { read: 'Read', bad: '' } }] },
    ],
    'OAuth 2 of applications in 2.0': [
      { type: 'oauth2', flow: 'application', tokenUrl: 'https://x.test/t' },
      { type: 'oauth2', flows: [{ grant: 'clientCredentials', tokenUrl: 'https://x.test/t', scopes: {} }] },
    ],
    'basic of 2.0': [
      { type: 'basic', description: 'D' },
      { type: 'http', scheme: 'basic', description: 'D' },
    ],
  };
  for (const [name, [scheme, expected]] of Object.entries(valid)) {
    it(`are read: ${name}`, async () => {
      for (const place of [
        { openapi: '3.0.0', components: { securitySchemes: { s: scheme } } },
        { swagger: '2.0', securityDefinitions: { s: scheme } },
      ]) {
        const { document } = await readValue({ ...place, paths: {} });
        expect(document.securitySchemes.get('s')).to.deep.equal({ name: 's', ...expected });
      }
    });
  }

  it('are followed through references', async () => {
    const { securitySchemes } = await readPaths(
      {},
      { components: { securitySchemes: { a: { $ref: '#/components/securitySchemes/key' }, ...schemes } } },
    );
    expect(securitySchemes.get('a')).to.deep.equal({ name: 'a', type: 'apiKey', in: 'header', parameter: 'X-Key' });
  });

  const invalid: Record<string, [scheme: unknown, fault: RegExp]> = {
    'another type': [{ type: 'magic' }, /expected a type such as apiKey, http or oauth2, received "magic"/],
    'a key without a place': [{ type: 'apiKey', name: 'k' }, /expected "in" to be query, header or cookie/],
    'a key without a name': [{ type: 'apiKey', in: 'query' }, /expected the "name" of its parameter/],
    'HTTP without a scheme': [{ type: 'http' }, /expected "scheme", such as bearer/],
    'a broken reference': [{ $ref: '#/gone' }, /leads to nothing/],
    'no object': [null, /expected a type/],
  };
  for (const [name, [scheme, fault]] of Object.entries(invalid)) {
    it(`are ignored with a note: ${name}`, async () => {
      const { securitySchemes, notes } = await readPaths({}, { components: { securitySchemes: { s: scheme } } });
      expect(securitySchemes.size).to.equal(0);
      expect(notes[0])
        .to.match(/^security scheme "s" is ignored: /)
        .and.to.match(fault);
    });
  }
});
