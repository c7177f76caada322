import { expect } from 'chai';
import { toolRisk } from '../../../../plugins/upstreams/define/tool-risk.ts';

const reading = { name: 'read', annotations: { readOnlyHint: true, idempotentHint: true } };
const plain = { name: 'plain' };
const mild = { name: 'mild', annotations: { destructiveHint: false } };
const contradicting = { name: 'odd', annotations: { readOnlyHint: true, destructiveHint: true } };
const writes = { gate: 'writes' } as const;
const trusted = { gate: 'writes', trustAnnotations: true } as const;

describe('the risk of a tool of a server', () => {
  for (const [title, given, expected] of [
    ['is high and gated, whatever a server says that is not trusted', [reading, writes], ['high', true, false]],
    ['is low and not gated when a trusted server calls it read-only', [reading, trusted], ['low', false, true]],
    ['is high when a trusted server says nothing', [plain, trusted], ['high', true, false]],
    ['is medium when a trusted server says that it destroys nothing', [mild, trusted], ['medium', true, false]],
    ['is high when a trusted server contradicts itself', [contradicting, trusted], ['high', true, false]],
    ['is low when the operator calls it read-only', [plain, writes, { readOnly: true }], ['low', false, true]],
    ['is high when the operator denies what a trusted server says', [reading, trusted, { readOnly: false }], ['high', true, false]],
    ['is low when it was accepted as read-only', [plain, writes, {}, true], ['low', false, true]],
    ['is gated with gate: all', [reading, { gate: 'all', trustAnnotations: true }], ['low', true, true]],
    ['is not gated with gate: none', [plain, { gate: 'none' }], ['high', false, false]],
    ['is as the operator writes it', [plain, writes, { risk: 'medium', requiresApproval: false }], ['medium', false, false]],
  ] as const)
    it(title, () => {
      const { risk, requires_approval, annotations } = toolRisk(...(given as unknown as Parameters<typeof toolRisk>));
      expect([risk, requires_approval === true, annotations.readOnlyHint]).to.deep.equal(expected);
    });
});
