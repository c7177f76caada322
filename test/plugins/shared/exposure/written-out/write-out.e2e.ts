import { expect } from 'chai';
import { Compile } from 'typebox/schema';
import { portableSchema } from '../../../../../plugins/shared/exposure/portable-schema.ts';
import { refusalsOf } from '../../../../../plugins/shared/exposure/profiles/refusals.ts';
import { writeOut } from '../../../../../plugins/shared/exposure/written-out/write-out.ts';
import { mutated, valueFor } from '../../../../contract/schema-values.ts';
import { Random } from '../../../../support/random.ts';
import { SchemaMaker } from './generated-schema.ts';

const seed = Number(process.env['SEED'] ?? 46);

/** Name of a member at the root that Gemini does not take: the source renames it. */
const isForSource = (pointer: string): boolean => /^\/inputSchema\/properties\/[^/]+$/.test(pointer);

describe('a schema that is written out', () => {
  const random = new Random(seed);
  const maker = new SchemaMaker(random);
  const schemas = Array.from({ length: 60 }, () => maker.root());

  for (const limit of [400, 1200, 3500]) {
    it(`takes every value of the schema, within ${limit} characters (seed ${seed})`, () => {
      let compared = 0;
      for (const schema of schemas) {
        const { schema: listed } = writeOut(schema, limit);
        const [whole, shown] = [Compile(schema as never), Compile(listed as never)];
        for (let count = 0; count < 10; count++) {
          const fitting = valueFor(schema, schema, random.next);
          for (const value of [fitting, mutated(fitting, random.next)]) {
            if (listLevels(value) > 2 || !whole.Check(value)) continue;
            compared++;
            if (!shown.Check(value)) expect.fail(JSON.stringify({ value, schema, listed }));
          }
        }
      }
      expect(compared).to.be.above(100);
    });

    it(`has at most ${limit} characters and no reference, and passes the profiles of all model APIs`, () => {
      for (const schema of schemas) {
        const { schema: listed } = writeOut(schema, limit);
        const text = JSON.stringify(listed);
        if (limit > 1000) expect(text.length, text).to.be.at.most(limit);
        const refusals = refusalsOf({ name: 'a', inputSchema: listed }).filter(({ pointer }) => !isForSource(pointer));
        expect(refusals.map(({ pointer, message }) => `${pointer} ${message}`)).to.deep.equal([]);
        expect(portableSchema(listed)).to.equal(listed);
      }
    });
  }
});

/** Levels of lists in lists, which end in what a list shows of any value. */
function listLevels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Math.max(0, ...Object.values(value).map(listLevels));
  return Array.isArray(value) ? inner + 1 : inner;
}
