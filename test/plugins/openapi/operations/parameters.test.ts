import { expect } from 'chai';
import type { OperationParameter } from '../../../../plugins/openapi/operations/operation.ts';
import { readOne, readOne2, readPaths } from '../read-value.ts';

const shown = ({ in: place, name, style, explode, isRequired }: OperationParameter): string =>
  `${place} ${name} ${style}${explode ? '*' : ''}${isRequired ? ' required' : ''}`;

const list = { type: 'array', items: { type: 'string' } };

describe('parameters of 3.0', () => {
  const styles: Record<string, [parameter: object, expected: string]> = {
    'form with explode in the query': [{ in: 'query' }, 'query p form*'],
    'simple in the path': [{ in: 'path', required: true }, 'path p simple required'],
    'simple in headers': [{ in: 'header' }, 'header p simple'],
    'form with explode in cookies': [{ in: 'cookie' }, 'cookie p form*'],
    'no explode where the style is another': [{ in: 'query', style: 'pipeDelimited' }, 'query p pipeDelimited'],
    'explode of deepObject': [{ in: 'query', style: 'deepObject' }, 'query p deepObject*'],
    'the style of the document': [{ in: 'path', style: 'matrix', explode: true }, 'path p matrix* required'],
    'the default in place of a style of another place': [{ in: 'header', style: 'form' }, 'header p simple'],
    'a path parameter that is not marked as required': [{ in: 'path' }, 'path p simple required'],
  };
  for (const [name, [parameter, expected]] of Object.entries(styles)) {
    it(`have ${name}`, async () => {
      const { parameters } = await readOne(
        { parameters: [{ name: 'p', schema: list, ...parameter }] },
        expected.startsWith('path') ? '/items/{p}' : '/items',
      );
      expect(parameters.map(shown)).to.deep.equal([expected]);
    });
  }

  it('of an operation replace those of its path with the same name and place', async () => {
    const { operations } = await readPaths({
      '/items': {
        parameters: [
          { name: 'a', in: 'query', schema: { type: 'string' } },
          { name: 'b', in: 'query', description: 'of the path' },
        ],
        get: {
          parameters: [
            { name: 'b', in: 'query', description: 'of the operation' },
            { name: 'a', in: 'header' },
          ],
        },
      },
    });
    const parameters = operations[0]?.parameters ?? [];
    expect(parameters.map(({ in: place, name, description }) => `${place} ${name} ${description ?? ''}`)).to.deep.equal([
      'query b of the operation',
      'header a ',
      'query a ',
    ]);
  });

  it('have the schema with its place, or the media type of their content', async () => {
    const { parameters } = await readOne({
      parameters: [
        { name: 'a', in: 'query', schema: { type: 'integer' } },
        { name: 'b', in: 'query', content: { 'Application/JSON; charset=utf-8': { schema: { type: 'object' } } } },
      ],
    });
    expect(parameters[0]?.schema?.pointer).to.equal('/paths/~1items/get/parameters/0/schema');
    expect(parameters[1]).to.deep.include({ mediaType: 'application/json' });
    expect(parameters[1]?.schema?.value).to.deep.equal({ type: 'object' });
  });

  it('are followed through references, with their examples', async () => {
    const { parameters } = await readOne({ parameters: [{ $ref: '#/components/parameters/P' }] }, '/items', 'get', {
      components: {
        parameters: {
          P: { name: 'p', in: 'query', example: 1, examples: { two: { $ref: '#/components/examples/Two' }, none: { summary: 'x' } } },
        },
        examples: { Two: { value: 2 } },
      },
    });
    expect(parameters[0]).to.deep.include({ name: 'p', examples: [1, 2] });
  });

  it('called Accept, Content-Type and Authorization are ignored', async () => {
    const { parameters, notes } = await readOne({
      parameters: ['accept', 'Content-Type', 'AUTHORIZATION', 'X-Other'].map((name) => ({ name, in: 'header' })),
    });
    expect(parameters.map(({ name }) => name)).to.deep.equal(['X-Other']);
    expect(notes).to.have.length(1);
    expect(notes?.[0]).to.match(/"AUTHORIZATION" is ignored .* names no security scheme/);
  });

  it('that the path names and none declares are added as required text', async () => {
    const { parameters, notes } = await readOne({}, '/items/{id}');
    expect(parameters.map(shown)).to.deep.equal(['path id simple required']);
    expect(notes).to.deep.equal(['the path has {id}, which no parameter declares: added as required text']);
  });

  it('that the path does not name are dropped', async () => {
    const { parameters, notes } = await readOne({ parameters: [{ name: 'id', in: 'path', required: true }] });
    expect(parameters).to.deep.equal([]);
    expect(notes).to.deep.equal(['path parameter "id" is not in the path: ignored']);
  });

  it('without a place are those of the path, or ignored', async () => {
    const { parameters, notes } = await readOne({ parameters: [{ name: 'id' }, { name: 'x' }, { in: 'query' }, null, 'x'] }, '/items/{id}');
    expect(parameters.map(shown)).to.deep.equal(['path id simple required']);
    expect(notes).to.have.length(4);
  });

  it('called like members of every object are parameters', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { parameters } = await readOne({ parameters: names.map((name) => ({ name, in: 'query' })) });
    expect(parameters.map(({ name }) => name)).to.deep.equal(names);
  });
});

describe('parameters of 2.0', () => {
  const formats: Record<string, [parameter: object, expected: string]> = {
    'commas without a format': [{ in: 'query' }, 'query p form'],
    csv: [{ in: 'query', collectionFormat: 'csv' }, 'query p form'],
    ssv: [{ in: 'query', collectionFormat: 'ssv' }, 'query p spaceDelimited'],
    pipes: [{ in: 'query', collectionFormat: 'pipes' }, 'query p pipeDelimited'],
    multi: [{ in: 'query', collectionFormat: 'multi' }, 'query p form*'],
    'csv in headers': [{ in: 'header', collectionFormat: 'csv' }, 'header p simple'],
  };
  for (const [name, [parameter, expected]] of Object.entries(formats)) {
    it(`write lists as ${name}`, async () => {
      const { parameters, notes } = await readOne2({ parameters: [{ name: 'p', ...list, ...parameter }] });
      expect(parameters.map(shown)).to.deep.equal([expected]);
      expect(notes).to.equal(undefined);
    });
  }

  for (const parameter of [
    { in: 'query', collectionFormat: 'tsv' },
    { in: 'header', collectionFormat: 'pipes' },
  ]) {
    it(`write lists with commas, and a note, where no style is ${parameter.collectionFormat} in ${parameter.in}`, async () => {
      const { parameters, notes } = await readOne2({ parameters: [{ name: 'p', ...list, ...parameter }] });
      expect(parameters[0]?.explode).to.equal(false);
      expect(notes?.[0]).to.match(/no style writes collectionFormat/);
    });
  }

  it('are their own schemas', async () => {
    const { parameters } = await readOne2({ parameters: [{ name: 'p', in: 'query', type: 'integer', 'x-example': 3 }] });
    expect(parameters[0]?.schema).to.deep.include({ pointer: '/paths/~1items/post/parameters/0' });
    expect(parameters[0]).to.deep.include({ examples: [3] });
  });
});
