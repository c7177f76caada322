import { errorCodes, messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import { isBroken, memberOf, type Outcome, outcomeOf, type Subject } from '../subject.ts';

/** Checks of the taps on calls: a call ends with a result, or with a refusal that gives the reason. */
export const callingChecks: readonly ContractCheck[] = [
  {
    title: 'lets a call end, with a result or a refusal',
    async run(subject) {
      const { result } = await subject.makeOrdinaryCall();
      failIfBroken(result, 'An ordinary call breaks');
    },
  },
  {
    title: 'lets a call of a model end, with a result or a refusal',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const outcome = await outcomeOf(kit, 'contract_echo', { text: 'hello' }, { origin: 'model', caller: 'a model' });
        failIfBroken(outcome, 'A call of a model breaks');
      }),
  },
  {
    title: 'takes parameters of every kind',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        for (const value of [
          null,
          true,
          -0.5,
          '',
          'a\u0000b',
          '\ud83d\ude00 \u202e',
          [],
          [[{}]],
          { a: { b: [1, null] } },
          'x'.repeat(100_000),
        ])
          failIfBroken(
            await outcomeOf(kit, 'contract_echo', { value }),
            `A call with the value ${JSON.stringify(value).slice(0, 40)} breaks`,
          );
      }),
  },
  {
    title: 'sees how every call ends without failing',
    async run(subject) {
      await makeAllCalls(subject);
      const failed = subject.record.thrown.find(({ hook }) => hook === 'settled');
      const message = `Its tap on "settled" fails: ${messageOf(failed?.error)}. Calls end there that were refused, and that name no tool (end.tool is undefined).`;
      failIf(failed !== undefined, message);
    },
  },
  {
    title: 'lets the same call run again after it was cancelled',
    run: (subject) => checkRunsAgain(subject, 'contract_wait', 'after it was cancelled'),
  },
  {
    title: 'lets the same call run again after its time was over',
    run: (subject) => checkRunsAgain(subject, 'contract_late', 'after its time was over'),
  },
  {
    title: 'gives each of twenty calls at once its own answer',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const texts = Array.from({ length: 20 }, (_none, index) => `call ${index}`);
        const outcomes = await Promise.all(texts.map((text) => outcomeOf(kit, 'contract_echo', { text })));
        const mixed = texts.find((text, index) => texts.some((other) => other !== text && memberOf(outcomes[index], 'text') === other));
        failIf(mixed !== undefined, 'A call gets the answer of another one with other parameters. Keep results by tool and parameters.');
      }),
  },
  {
    title: 'throws no ToolkitError whose code hosts do not know',
    async run(subject) {
      await makeAllCalls(subject);
      const unknownCode = subject.record.thrown.find(({ error }) => ToolkitError.is(error) && !Object.hasOwn(errorCodes, error.code));
      if (unknownCode === undefined) return;
      const { code } = unknownCode.error as ToolkitError;
      fail(
        `Throws a ToolkitError with the code "${code}" in "${unknownCode.hook}". Hosts know these: ${Object.keys(errorCodes).join(', ')}.`,
      );
    },
  },
  {
    title: 'does not blame its errors on another plugin',
    async run(subject) {
      await makeAllCalls(subject);
      const { name } = subject.plugin();
      const wrong = subject.record.thrown.find(({ error }) => ToolkitError.is(error) && ![undefined, name].includes(error.details.plugin));
      const { plugin } = wrong === undefined ? {} : (wrong.error as ToolkitError).details;
      failIf(
        wrong !== undefined,
        `An error that it throws names the plugin "${plugin}". Leave details.plugin out: the kernel fills it in.`,
      );
    },
  },
];

/** Makes calls with every kind of end. */
function makeAllCalls(subject: Subject): Promise<void> {
  return subject.once('all', () =>
    subject.withCalls(async (kit) => {
      for (const tool of ['contract_echo', 'contract_fail', 'contract_secret', 'contract_late', 'contract_unknown'])
        for (const origin of ['host', 'model'] as const) await outcomeOf(kit, tool, {}, { origin });
      await outcomeOf(kit, 'contract_echo', { text: 1 });
    }),
  );
}

/** Makes a call twice that never ends by itself, and checks that the tool begins both times. */
function checkRunsAgain(subject: Subject, tool: string, when: string): Promise<void> {
  return subject.withCalls(async (kit) => {
    const begins = async (): Promise<readonly [boolean, Outcome]> => {
      const cancelling = new AbortController();
      let hasBegun = false;
      const onProgress = (): void => {
        hasBegun = true;
        if (tool === 'contract_wait') cancelling.abort();
      };
      const outcome = await outcomeOf(kit, tool, {}, { signal: cancelling.signal, onProgress });
      return [hasBegun, outcome];
    };
    const [first] = await begins();
    const [second, outcome] = await begins();
    const how = 'error' in outcome ? outcome.error.code : 'a result';
    failIf(
      first && !second,
      `A call that is made again ${when} does not run (${how}). Forget in "settled" what a tap keeps of a call that runs.`,
    );
  });
}

function failIfBroken(outcome: Outcome, problem: string): void {
  if ('error' in outcome && isBroken(outcome.error)) fail(`${problem}: ${outcome.error.message}`);
}
