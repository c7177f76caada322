import { isPlainObject } from '../../../../../kernel/index.ts';
import type { TestKit } from '../../test-kit.ts';
import { type ContractCheck, failIf } from '../contract-check.ts';
import { memberOf, type Outcome, outcomeOf } from '../subject.ts';

/** Checks of cached results, and of the callers that get them. A plugin without a cache passes. */
export const cachingChecks: readonly ContractCheck[] = [
  {
    title: 'gives no caller the answer of another one',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const [ann, bob] = [await answerFor(kit, 'ann'), await answerFor(kit, 'bob')];
        const isShared = memberOf(ann, 'caller') === 'bob' || memberOf(bob, 'caller') === 'ann';
        failIf(isShared, 'A caller gets what was made for another one. Keep results by caller as well (call.caller), and by credentials.');
      }),
  },
  {
    title: 'gives no answer that was made with other credentials',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        // The value itself would be masked.
        const lengths = [20, 30];
        const isShared = (letters: unknown, length: number): boolean => letters !== length && lengths.includes(letters as number);
        for (const length of lengths) {
          const credentials = { CONTRACT_SECRET: 'k'.repeat(length) };
          const outcome = await outcomeOf(kit, 'contract_account', {}, { credentials });
          failIf(
            isShared(memberOf(outcome, 'letters'), length),
            'A call gets what was made with the credentials of another one. Keep results by credentials as well: by the handles in call.credentials, which are the same objects as long as the values are.',
          );
        }
      }),
  },
  {
    title: 'gives no model the answer that was made for the host',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const host = await outcomeOf(kit, 'contract_count', {}, { origin: 'host' });
        const model = await outcomeOf(kit, 'contract_count', {}, { origin: 'model' });
        const run = memberOf(host, 'run');
        failIf(
          run !== undefined && run === memberOf(model, 'run'),
          'A model gets what was made for the host, which sees tools and files that models do not. Keep results by origin as well (call.origin).',
        );
      }),
  },
  {
    title: 'keeps copies of answers, which hosts may change',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const ask = (): Promise<Outcome> => outcomeOf(kit, 'contract_echo', { value: { list: [] } });
        for (let call = 0; call < 3; call++) {
          const value = memberOf(await ask(), 'value');
          const list = isPlainObject(value) ? value['list'] : undefined;
          if (!Array.isArray(list)) return;
          failIf(
            list.includes('changed by its host'),
            'A call gets an answer with what the host of another call has changed in its own. Keep a copy (structuredClone), and give out another one each time.',
          );
          if (!Object.isFrozen(list)) list.push('changed by its host');
        }
      }),
  },
];

const answerFor = (kit: TestKit, caller: string): Promise<Outcome> => outcomeOf(kit, 'contract_echo', { text: 'the same' }, { caller });
