import { setImmediate, setTimeout } from 'node:timers/promises';
import { apiVersion, definePlugin, messageOf, toJsonValue } from '../../../../../kernel/index.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import { changesBetween, processState } from '../process-state.ts';
import { isBroken, outcomeOf, SkippedCheck, type Subject } from '../subject.ts';

/** Checks of several kernels in one process, and of the end of a kernel. */
export const endingChecks: readonly ContractCheck[] = [
  {
    title: 'works in two kernels at once',
    run: (subject) =>
      subject.withCalls(async () => {
        const second = await subject
          .start()
          .catch((error: unknown) => fail(`A second kernel does not start: ${messageOf(error)}. ${ownState}`));
        const outcome = await outcomeOf(second, 'contract_echo', { text: 'two' }).finally(() => second.close().catch(() => {}));
        if ('error' in outcome && isBroken(outcome.error)) fail(`In a second kernel calls break: ${outcome.error.message} ${ownState}`);
      }),
  },
  {
    title: 'goes on working when another kernel with it closes',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        const second = await subject.start().catch(skipCheck);
        await second.close().catch(() => {});
        const outcome = await outcomeOf(kit, 'contract_echo', { text: 'one' });
        if ('error' in outcome && isBroken(outcome.error))
          fail(`When another kernel closes, calls break: ${outcome.error.message} ${ownState}`);
      }),
  },
  {
    title: 'tells its status at any time',
    run: (subject) =>
      subject.withKernel(async ({ kernel }) => {
        try {
          toJsonValue(kernel.status());
        } catch (error) {
          fail(`Its status cannot be read: ${messageOf(error)}. Give extend.status() a function that returns plain values.`);
        }
      }),
  },
  {
    title: 'closes without an error',
    async run(subject) {
      const kit = await subject.start().catch(skipCheck);
      await kit.close().catch((error: unknown) => fail(`Fails when the kernel closes: ${messageOf(error)}`));
    },
  },
  {
    title: 'closes without an error when a plugin behind it does not start',
    async run(subject) {
      await requireClosing(subject);
      const { length } = subject.record.thrown;
      await subject.start(undefined, { plugins: [failing()] }).catch(() => {});
      const thrown = subject.record.thrown.slice(length).find(({ hook }) => hook === 'dispose');
      failIf(
        thrown !== undefined,
        `Its tap on "dispose" needs what other hooks have made, which may not have run: ${messageOf(thrown?.error)}`,
      );
    },
  },
  {
    title: 'closes while a call runs',
    async run(subject) {
      await requireClosing(subject);
      const kit = await subject.start().catch(skipCheck);
      let call: Promise<unknown> = Promise.resolve();
      await new Promise<unknown>((resolve) => {
        call = outcomeOf(kit, 'contract_wait', {}, { onProgress: resolve });
        call.then(resolve, resolve);
      });
      await kit.close().catch((error: unknown) => fail(`Fails when the kernel closes during a call: ${messageOf(error)}`));
      await call;
    },
  },
  {
    title: 'leaves no listener on the process',
    async run(subject) {
      const { listeners } = await subject.once('end', () => measureLifecycle(subject));
      failIf(listeners.length > 0, `After closing it still listens to process: ${listeners.join(', ')}. Take listeners off in "dispose".`);
    },
  },
  {
    title: 'leaves nothing running',
    async run(subject) {
      const { resources } = await subject.once('end', () => measureLifecycle(subject));
      const kinds = resources.join(', ');
      failIf(
        resources.length > 0,
        `After closing something keeps the process alive: ${kinds}. End in "dispose" what apply() and taps have started.`,
      );
    },
  },
];

const ownState = 'Keep what belongs to one kernel inside apply(), not at the top of the module.';

/** Ends a check because of a failure that another check reports. */
function skipCheck(cause: unknown): never {
  throw new SkippedCheck('another check says why', { cause });
}

async function requireClosing(subject: Subject): Promise<void> {
  await subject
    .start()
    .then((kit) => kit.close())
    .catch(skipCheck);
}

const failing = definePlugin({
  name: 'contract-failing',
  apiVersion,
  apply() {
    throw new Error('does not start');
  },
});

/** Maximum time for resources to end, in milliseconds. */
const timeoutMs = 5_000;

async function measureLifecycle(subject: Subject): Promise<ReturnType<typeof changesBetween>> {
  // A test runner may be starting a timer right now.
  await setImmediate();
  const before = processState();
  await subject.withKernel(async (kit) => void (await outcomeOf(kit, 'contract_echo')));
  const until = Date.now() + timeoutMs;
  for (let turn = 0; ; turn++) {
    const changes = changesBetween(before, processState());
    if (changes.resources.length === 0 || Date.now() > until) return changes;
    await (turn < 20 ? setImmediate() : setTimeout(20));
  }
}
