import type { JsonValue } from '../../../../kernel/index.ts';
import { diff } from '../../../../tools/core/json/diff.ts';
import { flatten } from '../../../../tools/core/json/flatten.ts';
import { format } from '../../../../tools/core/json/format.ts';
import { inferSchema } from '../../../../tools/core/json/infer-schema.ts';
import { merge } from '../../../../tools/core/json/merge.ts';
import { applyPatch } from '../../../../tools/core/json/patch.ts';
import { validate } from '../../../../tools/core/json/validate.ts';
import { untouchedPrototypes } from './untouched-prototypes.ts';

type Members = Readonly<Record<string, JsonValue>>;

/** As JSON makes them: `__proto__` is a member of their own. */
const hostile = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"a":{"__proto__":{"polluted":1}}}'];
const data = (): Members[] => hostile.map((text) => JSON.parse(text) as Members);
const paths = [
  '/__proto__/polluted',
  '/constructor/prototype/polluted',
  '/a/__proto__/polluted',
  '/a/constructor/prototype/polluted',
  '/__proto__',
];
const flat = { '__proto__.polluted': 1, 'constructor.prototype.polluted': 1, 'a.__proto__.polluted': 1 };

// In this process, where a change would show; the tools run in threads.
describe('the JSON tools change no prototype', () => {
  for (const strategy of ['deep', 'shallow', 'merge_patch'] as const) {
    it(`when json_merge merges with ${strategy}`, async () => {
      for (const document of data())
        await untouchedPrototypes(() => merge({ documents: [{}, document, document], strategy, arrays: 'unique' }));
    });
  }

  for (const path of paths) {
    it(`when json_patch is sent to ${path}`, async () => {
      for (const op of ['add', 'replace', 'copy', 'move', 'remove', 'test'] as const) {
        for (const document of [{}, { a: {} }, { a: { polluted: 1 } }, ...data()])
          await untouchedPrototypes(() => applyPatch({ document, patch: [{ op, path, from: '/a', value: 1 }] }));
      }
    });
  }

  it('when json_flatten goes there and back', async () => {
    for (const nested of data()) await untouchedPrototypes(() => flatten({ data: nested, separator: '.', direction: 'flatten' }));
    await untouchedPrototypes(() => flatten({ data: flat, separator: '.', direction: 'unflatten' }));
  });

  it('when the others read such data', async () => {
    for (const [index, value] of data().entries()) {
      await untouchedPrototypes(() => diff({ left: {}, right: value }));
      await untouchedPrototypes(() => inferSchema({ samples: [value, {}], required: 'all' }));
      await untouchedPrototypes(() => validate({ data: value, schema: { properties: value } }, 20));
      const layout = { indent: 2, sort_keys: true, minify: false, allow_comments: true };
      await untouchedPrototypes(() => format({ text: hostile[index] ?? '', ...layout }));
    }
  });
});
