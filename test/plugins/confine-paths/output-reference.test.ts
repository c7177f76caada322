import { expect } from 'chai';
import { outputBudget } from '../../../plugins/output-budget/index.ts';
import { rejection } from '../../support/rejection.ts';
import { byPath, parameters } from './by-path.ts';

const rows = Array.from({ length: 200 }, (_, index) => ({ name: `row ${index} of a long list`, price: index, tags: ['a/b', 'ü'] }));
const outputs: Readonly<Record<string, unknown>> = { data: { rows, content: 'Grüße\n'.repeat(1000) }, text: 'line\n'.repeat(1000) };

/** A kernel whose tool gives back what it gets, or one of these outputs, and ids of the latter that were kept for Ada. */
async function kept() {
  const { kernel } = await byPath(
    {},
    {
      tool: {
        parameters: { ...parameters, list: { type: 'array', from: 'path' }, output: { type: 'string' } },
        execution: {
          type: 'function',
          handler: ({ output, ...given }: Record<string, unknown>) => (output === undefined ? given : outputs[String(output)]),
        },
      },
      plugins: [outputBudget({ maxCharacters: 2000 })],
    },
  );
  const keep = async (output: string): Promise<string> =>
    (await kernel.call({ tool: 'echo', parameters: { output }, origin: 'model', caller: 'ada' })).callId;
  const seen = async (parameter: string, uri: string, caller = 'ada'): Promise<unknown> => {
    const { output } = await kernel.call({ tool: 'echo', parameters: { [`${parameter}_path`]: uri }, caller });
    return (output as Record<string, unknown>)[parameter];
  };
  return { keep, seen };
}

describe('a kept output in place of a path', () => {
  const parts: readonly { what: string; of: 'data' | 'text'; as: string; pointer: string; gives: unknown }[] = [
    { what: 'the text of one', of: 'text', as: 'text', pointer: '', gives: outputs['text'] },
    { what: 'a text in one', of: 'data', as: 'text', pointer: '#/content', gives: 'Grüße\n'.repeat(1000) },
    { what: 'a value in one as its JSON', of: 'data', as: 'text', pointer: '#/rows/0/tags', gives: '["a/b","ü"]' },
    { what: 'the whole', of: 'data', as: 'any', pointer: '', gives: outputs['data'] },
    { what: 'the whole, by the link to a page', of: 'data', as: 'any', pointer: '/2', gives: outputs['data'] },
    { what: 'a list', of: 'data', as: 'list', pointer: '#/rows', gives: rows },
    { what: 'a member of each item', of: 'data', as: 'list', pointer: '#/rows/*/price', gives: rows.map(({ price }) => price) },
    { what: 'one item', of: 'data', as: 'any', pointer: '#/rows/7', gives: rows[7] },
  ];
  for (const { what, of, as, pointer, gives } of parts)
    it(`is read by its caller: ${what}`, async () => {
      const { keep, seen } = await kept();
      expect(await seen(as, `output://${await keep(of)}${pointer}`)).to.deep.equal(gives);
    });

  it('is not there for another caller, under another id, or where nothing has that place', async () => {
    const { keep, seen } = await kept();
    const uri = `output://${await keep('data')}`;
    for (const [place, caller] of [
      [uri, 'somebody else'],
      [uri.slice(0, -1), 'ada'],
      ['output://00000000-0000-4000-8000-000000000000', 'ada'],
      [`${uri}#/nothing`, 'ada'],
      [`${uri}#/rows/200`, 'ada'],
      [`${uri}#/rows/*/nothing`, 'ada'],
      [`${uri}#/__proto__`, 'ada'],
      [`${uri}#/rows/length`, 'ada'],
    ] as const)
      expect((await rejection(seen('any', place, caller), 'NOT_FOUND')).message, place).to.not.include('row 1');
    for (const place of ['output://', 'output:///etc/passwd', `${uri}/x`, 'output://../../etc/passwd', `${uri}?a`])
      await rejection(seen('any', place), 'INVALID_PARAMETERS');
    expect((await rejection(seen('any', `output://${await keep('text')}`), 'EXECUTION_FAILED')).message).to.include('is no JSON');
  });
});
