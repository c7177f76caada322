import { createRequire } from 'node:module';
import { expect } from 'chai';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly allOf?: readonly Schema[];
  readonly then?: Schema;
}

const published = (name: string): Schema => createRequire(import.meta.url)(`../../dist/schemas/${name}.schema.json`) as Schema;

/** Keys without words, of an object and of each kind that it can be. */
function unexplained({ properties = {}, allOf = [], then }: Schema): readonly string[] {
  const own = Object.entries(properties).filter(([, schema]) => typeof schema === 'object' && schema.description === undefined);
  return [...own.map(([key]) => key), ...allOf.flatMap(unexplained), ...(then === undefined ? [] : unexplained(then))];
}

/** Tests of the schemas that the build makes of our code and its comments. */
describe('the published schemas', () => {
  for (const name of ['tool', 'provider'])
    it(`say of every key of a ${name} what it is for, in the words of the code`, () => {
      const schema = published(name);
      expect(Object.keys(schema.properties ?? {})).to.include(name === 'tool' ? 'retry' : 'auth');
      expect(unexplained(schema)).to.deep.equal([]);
    });

  it('say so of every key of an execution', () => {
    const { execution } = published('tool').properties as Readonly<Record<string, Schema>>;
    expect(unexplained(execution ?? {})).to.deep.equal([]);
    expect(JSON.stringify(execution)).to.include('relative to the definition');
  });

  it('say so of the options of the standard preset', () => {
    expect(JSON.stringify(published('config'))).to.include('"description":"Directories with your own tools."');
  });
});
