import { expect } from 'chai';
import { checkParameters, withTextsRead } from '../../kernel/call/parameters/check-parameters.ts';
import { checkValue, isPlainObject, type JsonSchema, type Parameter, type Tool } from '../../kernel/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();

interface Place {
  readonly path: string;
  readonly parameter: Parameter;
}

/** The parameters of a tool, with their items and members. */
function placesOf({ parameters }: Tool): readonly Place[] {
  const below = (path: string, parameter: Parameter): readonly Place[] => {
    const { items, properties = {}, additionalProperties: others } = parameter;
    return [
      { path, parameter },
      ...(items === undefined ? [] : below(`${path}[]`, items)),
      ...Object.entries(properties).flatMap(([name, member]) => below(`${path}.${name}`, member)),
      ...(typeof others === 'object' ? below(`${path}.*`, others) : []),
    ];
  };
  return Object.entries(parameters).flatMap(([name, parameter]) => below(name, parameter));
}

describe('a pattern of a parameter', () => {
  for (const tool of tools)
    for (const { path, parameter } of placesOf(tool)) {
      const { pattern, pattern_description: described, example } = parameter;
      if (typeof pattern !== 'string') continue;
      it(`of ${tool.name}, ${path}, is told in words or by an example`, () => {
        const expression = new RegExp(pattern, 'u');
        if (described === undefined) expect(expression.test(String(example)), `example ${String(example)}`).to.equal(true);
        const wrong = ['', '\0', ' ', ':;', '--', '..', 'a\nb', '#Ab :', 'last week', '"', '/', 'x'].find((text) => !expression.test(text));
        expect(wrong, 'a text that misses it').to.be.a('string');
        const schema: JsonSchema = { pattern, ...(described === undefined ? { examples: [example] } : { pattern_description: described }) };
        const [issue] = checkValue(schema, wrong);
        expect(issue?.message)
          .to.match(/^expected /)
          .and.not.include(pattern);
      });
    }
});

describe('a parameter that takes an object or a list and no text', () => {
  const structured = tools.flatMap((tool) => {
    const { properties = {} } = tool.inputSchema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
    const names = Object.keys(properties).filter((name) => ['object', 'array'].includes(String(properties[name]?.['type'])));
    return names.map((name) => ({ tool, name }));
  });

  it('is one of more than forty tools', () => {
    expect(new Set(structured.map(({ tool }) => tool.name)).size).to.be.above(40);
  });

  for (const { tool, name } of structured)
    it(`of ${tool.name}, ${name}, is taken as a text`, () => {
      const [first, ...others] = (tool.definition.examples ?? []).flatMap(({ parameters = {} }) =>
        isPlainObject(parameters) ? [parameters] : [],
      );
      const example =
        [first, ...others].find((one) => one?.[name] !== undefined)?.[name] ??
        tool.parameters[name]?.example ??
        (tool.parameters[name]?.type === 'array' ? [] : {});
      const given = { ...first, [name]: example };
      const texts = Object.fromEntries(
        Object.entries(given).map(([key, value]) => {
          const isValue = structured.some((one) => one.tool === tool && one.name === key);
          return [key, isValue ? JSON.stringify(value) : value];
        }),
      );
      expect(texts[name]).to.be.a('string');
      expect(checkParameters(tool, withTextsRead(tool, texts), 'model')).to.deep.equal(checkParameters(tool, given, 'model'));
    });
});

describe('a tool that works on JSON values', () => {
  const onValues = tools.filter(({ name }) => /^(json|convert_json)_/.test(name));
  const parts = onValues.flatMap((tool) => placesOf(tool).map((place) => ({ tool, ...place })));
  // A value that a patch puts into a document may be any text.
  const isOpen = ({ type, enum: values }: Parameter): boolean => type === undefined && values === undefined;
  for (const { tool, path, parameter } of parts.filter((part) => isOpen(part.parameter) && part.path !== 'patch[].value'))
    it(`refuses the text of one: ${tool.name}, ${path}`, () => {
      expect(parameter.json_text).to.equal(false);
    });
});

describe('replacing what exists', () => {
  const named = (name: string) => tools.filter(({ parameters }) => Object.hasOwn(parameters, name));

  it('is said by overwrite alone', () => {
    expect(named('if_exists').map(({ name }) => name)).to.deep.equal([]);
    expect(named('overwrite')).to.have.length.above(7);
  });

  for (const { name, parameters } of named('overwrite'))
    it(`is false by default, and says of if_exists what to give: ${name}`, () => {
      expect(parameters['overwrite']).to.deep.include({ type: 'boolean', default: false, mistaken_names: ['if_exists'] });
    });
});
