import { expect } from 'chai';
import { listedMembers } from '../../../../plugins/upstreams/define/listed-members.ts';
import { toolRisk } from '../../../../plugins/upstreams/define/tool-risk.ts';

const cases = [
  ['nothing where the server sent nothing', {}, true, {}],
  ['an empty object where the server sent one', { annotations: {} }, true, { annotations: {} }],
  ['both titles', { title: 'A', annotations: { title: 'B' } }, true, { title: 'A', annotations: { title: 'B' } }],
  [
    'the hints of a trusted server and no other',
    { annotations: { readOnlyHint: true, openWorldHint: false } },
    true,
    { annotations: { readOnlyHint: true, openWorldHint: false } },
  ],
  [
    'the values that count in place of those of a server that is not trusted',
    { annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true } },
    false,
    { annotations: { readOnlyHint: false, destructiveHint: true } },
  ],
] as const;

describe('the title and the hints of a tool of a server', () => {
  for (const [what, tool, trustAnnotations, expected] of cases)
    it(`are ${what}`, () => {
      const { annotations } = toolRisk(tool, { trustAnnotations, gate: 'none' });
      expect(listedMembers(tool, annotations)).to.deep.equal(expected);
    });

  it('say that a tool only reads where the operator says so', () => {
    const { annotations } = toolRisk({}, { gate: 'none' }, { readOnly: true });
    expect(listedMembers({}, annotations, 'Mine')).to.deep.equal({ title: 'Mine', annotations: { readOnlyHint: true } });
  });
});
