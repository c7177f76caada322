import { type Attack, given, yes } from './attack.ts';
import { payTool, policyBecause, providerAt, sendCode } from './attack-tools.ts';
import type { World } from './attack-world.ts';

/** Arguments in place of those that were approved. */
const others: readonly { readonly what: string; readonly parameters: Readonly<Record<string, unknown>> }[] = [
  { what: 'another amount', parameters: { ...given, amount: 1000 } },
  { what: 'the next greater number', parameters: { ...given, amount: 1.0000000000000002 } },
  { what: 'a space more', parameters: { ...given, to: 'Ada ' } },
  { what: 'a zero-width character more', parameters: { ...given, to: 'Ada\u200b' } },
  { what: 'one argument more', parameters: { ...given, note: 'and more' } },
  { what: 'one argument less', parameters: { to: given.to, data: given.data } },
  { what: 'a member more in an object', parameters: { ...given, data: { ...given.data, third: null } } },
  { what: 'a member named __proto__', parameters: { ...given, data: JSON.parse('{"first":1,"second":[1,2],"__proto__":{"x":1}}') } },
  { what: 'a list in another order', parameters: { ...given, data: { first: 1, second: [2, 1] } } },
  { what: 'a number as text', parameters: { ...given, data: { first: '1', second: [1, 2] } } },
];

interface Change {
  readonly what: string;
  /** @default pay */
  readonly tool?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly files: (world: World) => Readonly<Record<string, string>>;
}

/** Things behind a call that are changed after the yes. */
const changes: readonly Change[] = [
  { what: 'another description', files: () => ({ 'tools/pay.yaml': payTool('Pays twice.') }) },
  { what: 'another path at its service', files: () => ({ 'tools/pay.yaml': payTool().replace('url: /pay', 'url: /pay-twice') }) },
  { what: 'another risk', files: () => ({ 'tools/pay.yaml': payTool().replace('risk: medium', 'risk: low') }) },
  {
    what: 'no gate any more and a policy that asks',
    files: () => ({
      'tools/pay.yaml': payTool().replace('requires_approval: true\n', ''),
      'policy.yaml': policyBecause('it is late').replace('transfer', 'pay'),
    }),
  },
  {
    what: 'another base_url of its provider',
    files: ({ service }) => ({ 'tools/definition.yaml': providerAt(service.replace('127.0.0.1', 'localhost')) }),
  },
  {
    what: 'another description of its provider',
    files: ({ service }) => ({ 'tools/definition.yaml': providerAt(service, 'A bank of mine.') }),
  },
  {
    what: 'another content of the file that it sends',
    tool: 'send',
    parameters: { file: 'letter.txt' },
    files: () => ({ 'letter.txt': 'Dear Eve,\n' }),
  },
  {
    what: 'another code',
    tool: 'send',
    parameters: { file: 'letter.txt' },
    files: ({ service }) => ({ 'tools/send.mjs': sendCode(service, '// and more\n') }),
  },
  { what: 'another reason of the policy rule', tool: 'transfer', files: () => ({ 'policy.yaml': policyBecause('it is routine') }) },
  {
    what: 'another rule before the one that asked',
    tool: 'transfer',
    files: () => ({
      'policy.yaml': policyBecause('it moves money').replace(
        'rules:\n',
        'rules:\n  - { name: first, match: { tool: transfer }, effect: ask, reason: it moves money }\n',
      ),
    }),
  },
];

/** Calls that are not what was approved. */
export const changed: readonly Attack[] = [
  ...others.map(
    ({ what, parameters }): Attack => ({
      attack: `a call of what was approved with ${what}`,
      begin: async (world) => {
        const { id } = await world.hold(given);
        await world.kernel.approvals.decide(id, yes);
        return () => world.pay(parameters);
      },
      says: /call pay of ada: (APPROVAL_REQUIRED|INVALID_PARAMETERS)/,
    }),
  ),
  ...changes.map(
    ({ what, tool = 'pay', parameters = given, files }): Attack => ({
      attack: `a call of what was approved with ${what}`,
      begin: async (world) => {
        const { id } = await world.hold(parameters, { tool });
        await world.kernel.approvals.decide(id, yes);
        return async () => {
          await world.rewrite(files(world));
          await world.pay(parameters, { tool });
        };
      },
      says: new RegExp(`call ${tool} of ada: APPROVAL_(REQUIRED|DENIED)`),
      ends: 'void',
    }),
  ),
  {
    attack: 'a yes to what a call was before its definition was changed',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.rewrite({ 'tools/pay.yaml': payTool('Pays twice.') });
      await world.kernel.approvals.decide(id, yes);
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
    ends: 'void',
  },
];
