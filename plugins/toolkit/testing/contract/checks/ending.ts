import { setImmediate, setTimeout } from 'node:timers/promises';
import { apiVersion, definePlugin, messageOf, toJsonValue } from '../../../../../kernel/index.ts';
import { broken, brokenIf, type ContractCheck } from '../contract-check.ts';
import { changesBetween, processState } from '../process-state.ts';
import { isBroken, outcomeOf, type Subject, Unreached } from '../subject.ts';

/** Checks of several kernels in one process, and of the end of a kernel. */
export const endingChecks: readonly ContractCheck[] = [
  {
    title: 'works in two kernels at once',
    run: (subject) =>
      subject.calling(async () => {
        const second = await subject
          .start()
          .catch((error: unknown) => broken(`A second kernel does not start: ${messageOf(error)}. ${ownState}`));
        const outcome = await outcomeOf(second, 'contract_echo', { text: 'two' }).finally(() => second.close().catch(() => {}));
        if ('error' in outcome && isBroken(outcome.error)) broken(`In a second kernel calls break: ${outcome.error.message} ${ownState}`);
      }),
  },
  {
    title: 'goes on working when another kernel with it closes',
    run: (subject) =>
      subject.calling(async (kit) => {
        const second = await subject.start().catch(unreached);
        await second.close().catch(() => {});
        const outcome = await outcomeOf(kit, 'contract_echo', { text: 'one' });
        if ('error' in outcome && isBroken(outcome.error))
          broken(`When another kernel closes, calls break: ${outcome.error.message} ${ownState}`);
      }),
  },
  {
    title: 'tells its status at any time',
    run: (subject) =>
      subject.within(async ({ kernel }) => {
        try {
          toJsonValue(kernel.status());
        } catch (error) {
          broken(`Its status cannot be read: ${messageOf(error)}. Give extend.status() a function that returns plain values.`);
        }
      }),
  },
  {
    title: 'closes without an error',
    async run(subject) {
      const kit = await subject.start().catch(unreached);
      await kit.close().catch((error: unknown) => broken(`Fails when the kernel closes: ${messageOf(error)}`));
    },
  },
  {
    title: 'closes without an error when a plugin behind it does not start',
    async run(subject) {
      await closesAlone(subject);
      const { length } = subject.record.thrown;
      await subject.start(undefined, { plugins: [failing()] }).catch(() => {});
      const thrown = subject.record.thrown.slice(length).find(({ hook }) => hook === 'dispose');
      brokenIf(
        thrown !== undefined,
        `Its tap on "dispose" needs what other hooks have made, which may not have run: ${messageOf(thrown?.error)}`,
      );
    },
  },
  {
    title: 'closes while a call runs',
    async run(subject) {
      await closesAlone(subject);
      const kit = await subject.start().catch(unreached);
      let call: Promise<unknown> = Promise.resolve();
      await new Promise<unknown>((resolve) => {
        call = outcomeOf(kit, 'contract_wait', {}, { onProgress: resolve });
        call.then(resolve, resolve);
      });
      await kit.close().catch((error: unknown) => broken(`Fails when the kernel closes during a call: ${messageOf(error)}`));
      await call;
    },
  },
  {
    title: 'leaves no listener on the process',
    async run(subject) {
      const { listeners } = await subject.once('end', () => changesOfALife(subject));
      brokenIf(
        listeners.length > 0,
        `After closing it still listens to process: ${listeners.join(', ')}. Take listeners off in "dispose".`,
      );
    },
  },
  {
    title: 'leaves nothing running',
    async run(subject) {
      const { resources } = await subject.once('end', () => changesOfALife(subject));
      const kinds = resources.join(', ');
      brokenIf(
        resources.length > 0,
        `After closing something keeps the process alive: ${kinds}. End in "dispose" what apply() and taps have started.`,
      );
    },
  },
];

const ownState = 'Keep what belongs to one kernel inside apply(), not at the top of the module.';

/** Ends a check because of a failure that another check reports. */
function unreached(cause: unknown): never {
  throw new Unreached('another check says why', { cause });
}

async function closesAlone(subject: Subject): Promise<void> {
  await subject
    .start()
    .then((kit) => kit.close())
    .catch(unreached);
}

const failing = definePlugin({
  name: 'contract-failing',
  apiVersion,
  apply() {
    throw new Error('does not start');
  },
});

/** Maximum time for resources to end, in milliseconds. */
const patienceMs = 5_000;

async function changesOfALife(subject: Subject): Promise<ReturnType<typeof changesBetween>> {
  // A test runner may be starting a timer right now.
  await setImmediate();
  const before = processState();
  await subject.within(async (kit) => void (await outcomeOf(kit, 'contract_echo')));
  const until = Date.now() + patienceMs;
  for (let turn = 0; ; turn++) {
    const changes = changesBetween(before, processState());
    if (changes.resources.length === 0 || Date.now() > until) return changes;
    await (turn < 20 ? setImmediate() : setTimeout(20));
  }
}
