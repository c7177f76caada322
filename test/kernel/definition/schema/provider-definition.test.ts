import { expect } from 'chai';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const user = { type: 'object', properties: { id: { type: 'integer' }, team: { $ref: '#/$defs/team' } }, required: ['id'] };
const team = { type: 'object', properties: { name: { type: 'string' } } };
const provider = { provider: { name: 'p' }, $defs: { user, team, unused: { type: 'string' } } };
const tool = (output: unknown) => echoTool({ provider: 'p', parameters: { id: {} }, output_schema: output });

describe('the $defs of a provider', () => {
  it('complete the schema of a tool with what it refers to, and with nothing else', async () => {
    const kernel = await testKernel({ providers: [provider], tools: [tool({ $ref: '#/$defs/user' })] });
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(kernel.registry.get('echo').outputSchema).to.deep.equal({ $ref: '#/$defs/user', $defs: { user, team } });
  });

  it('are checked against what the tool gives', async () => {
    const kernel = await testKernel({ providers: [provider], tools: [tool({ $ref: '#/$defs/user' })] });
    expect(await kernel.execute('echo', { id: 1 })).to.deep.equal({ id: 1 });
    const error = await kernel.execute('echo', { id: 'x' }).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'OUTPUT_INVALID');
  });

  it("stand back behind the tool's own of that name", async () => {
    const own = { type: 'object', properties: { name: { type: 'integer' } } };
    const kernel = await testKernel({ providers: [provider], tools: [tool({ $ref: '#/$defs/user', $defs: { team: own } })] });
    expect(kernel.registry.get('echo').outputSchema).to.deep.equal({ $ref: '#/$defs/user', $defs: { team: own, user } });
  });

  it('change the hash of a tool that refers to them', async () => {
    const [one, other] = await Promise.all(
      [provider, { ...provider, $defs: { user: team, team } }].map(async (given) => {
        const kernel = await testKernel({ providers: [given], tools: [tool({ $ref: '#/$defs/user' })] });
        return kernel.registry.get('echo').hash;
      }),
    );
    expect(one).to.not.equal(other);
  });
});

describe('a provider definition', () => {
  const text = { type: 'string' };
  const accepted = [
    { what: 'a schema with a list of required names', entry: { type: 'object', properties: { id: text }, required: ['id'] } },
    { what: 'a parameter that is required', entry: { type: 'string', required: true } },
    { what: 'a parameter with a required member', entry: { type: 'object', properties: { id: { type: 'string', required: true } } } },
    { what: 'a parameter that refers to another', entry: { $ref: '#/$defs/other', required: false } },
    { what: 'a map of parameters', entry: { id: { type: 'string', required: true }, other: { $ref: '#/$defs/other' } } },
    {
      what: 'a map of parameters whose names are words of JSON Schema',
      entry: { type: text, format: text, required: { type: 'boolean' } },
    },
    { what: 'a map of parameters that begins with another', entry: { $ref: '#/$defs/map', type: text } },
  ];
  for (const { what, entry } of accepted) {
    it(`may share ${what}`, async () => {
      const kernel = await testKernel({ providers: [{ provider: { name: 'p' }, $defs: { entry, other: text, map: { other: text } } }] });
      expect(kernel.registry.problems).to.deep.equal([]);
    });
  }

  const refused = [
    {
      part: { $defs: { user: { type: 'string', required: true, minLenght: 1 } } },
      path: '$defs.user.minLenght',
      says: 'Did you mean "minLength"',
    },
    {
      part: { $defs: { user: { type: { type: 'string', required: true, minLenght: 1 } } } },
      path: '$defs.user.type.minLenght',
      says: 'Did you mean "minLength"',
    },
    {
      part: { $defs: { user: { type: 'string', required: true, pattern: '(' } } },
      path: '$defs.user.pattern',
      says: 'expected a regular expression',
    },
    {
      part: { $defs: { user: { type: { type: 'string', required: true }, id: { pattern: '(' } } } },
      path: '$defs.user.id.pattern',
      says: 'expected a regular expression',
    },
    {
      part: { $defs: { user: { $ref: '#/$defs/nobody', required: true } } },
      path: '$defs.user.$ref',
      says: 'expected a reference to a place in this schema',
    },
    {
      part: { $defs: { user: { $ref: '#/$defs/nobody', id: { required: true } } } },
      path: '$defs.user.$ref',
      says: 'expected a reference to a place in this schema',
    },
    { part: { $defs: { user: { type: 'strin' } } }, path: '$defs.user.type', says: 'expected one of array' },
    {
      part: { $defs: { user: { $ref: '#/$defs/nobody' } } },
      path: '$defs.user.$ref',
      says: 'expected a reference to a place in this schema',
    },
    {
      part: {
        parameter_mapping: [
          { parameter: 'A', env_pattern: 'A', unless: 'AB' },
          { parameter: 'AC', env_pattern: 'AC' },
        ],
      },
      path: 'parameter_mapping[0].unless',
      says: 'names "AB", which parameter_mapping does not have.',
    },
    {
      part: { parameter_mapping: [{ parameter: 'A', env_pattern: 'A', derive_from: { parameter: 'B', pattern: '(x)' } }] },
      path: 'parameter_mapping[0].derive_from.parameter',
      says: 'names "B"',
    },
    ...['x', '(x)(y)', '(x'].map((pattern) => ({
      part: { parameter_mapping: [{ parameter: 'A', env_pattern: 'A', derive_from: { parameter: 'A', pattern } }] },
      path: 'parameter_mapping[0].derive_from.pattern',
      says: 'expected a regular expression (ECMA-262) with one group',
    })),
  ];
  for (const { part, path, says } of refused) {
    it(`is refused for ${path}: ${JSON.stringify(part).slice(0, 110)}`, async () => {
      const kernel = await testKernel({ providers: [{ provider: { name: 'p' }, ...part }] });
      const [problem] = kernel.registry.problems;
      expect(problem).to.include({ path, severity: 'error' });
      expect(problem?.message).to.include(says);
      expect(kernel.registry.providers.size).to.equal(0);
    });
  }
});
