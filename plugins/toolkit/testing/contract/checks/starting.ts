import { setImmediate } from 'node:timers/promises';
import { apiVersion, messageOf } from '../../../../../kernel/index.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import { changesBetween, type ProcessChanges, processState } from '../process-state.ts';
import type { Subject } from '../subject.ts';

/** Checks of the start of a kernel. */
export const startingChecks: readonly ContractCheck[] = [
  {
    title: 'starts with its options',
    async run(subject) {
      // Another check reports that.
      if (subject.plugin().apiVersion !== apiVersion) return;
      const kit = await subject.start().catch((error: unknown) => fail(`Does not start: ${messageOf(error)}`));
      await kit.close().catch(() => {});
    },
  },
  {
    title: 'does something: taps a hook, adds to the kernel, or brings a command',
    async run(subject) {
      await subject.withKernel(async () => {});
      const isIdle = subject.record.added.length === 0 && (subject.plugin().commands ?? []).length === 0;
      failIf(isIdle, 'Taps no hook, adds nothing with kernel.extend, and brings no command. Tap a hook inside apply().');
    },
  },
  {
    title: 'has added everything when apply() ends',
    async run(subject) {
      await subject.withCalls(async (kit) => {
        await kit.reload();
        for (let turn = 0; turn < 20; turn++) await setImmediate();
      });
      const [late] = subject.record.late;
      failIf(late !== undefined, `Uses ${late} after apply() has ended. Await what comes before it, or make apply() wait for it.`);
    },
  },
  {
    title: 'prints nothing by itself',
    async run(subject) {
      const { stdout, stderr } = await subject.makeOrdinaryCall();
      const how = 'Use the logger that apply() and each tap get, which masks secrets. Standard output belongs to the protocol.';
      failIf(stdout !== '', `Prints on standard output: "${stdout.slice(0, 100).trim()}". ${how}`);
      failIf(stderr !== '', `Prints on standard error: "${stderr.slice(0, 100).trim()}". ${how}`);
    },
  },
  {
    title: 'leaves environment variables as they are',
    run: (subject) =>
      checkChanges(subject, ({ variables }) => [
        variables.length > 0,
        `Changes environment variables: ${variables.join(', ')}. Others in the process read them, and programs inherit them.`,
      ]),
  },
  {
    title: 'leaves the working directory as it is',
    run: (subject) =>
      checkChanges(subject, ({ isFolderChanged }) => [
        isFolderChanged,
        'Changes the working directory of the process. Resolve paths from kernel.cwd.',
      ]),
  },
  {
    title: 'adds no global variable',
    run: (subject) =>
      checkChanges(subject, ({ globals }) => [
        globals.length > 0,
        `Adds global variables: ${globals.join(', ')}. Two kernels of a process would share them: keep them inside apply().`,
      ]),
  },
  {
    title: 'starts again from the same plugin object',
    async run(subject) {
      await subject.withKernel(async () => {});
      const plugin = subject.plugin();
      for (const time of ['first', 'second'])
        await subject.start(plugin).then(
          (kit) => kit.close().catch(() => {}),
          (error: unknown) => fail(`Does not start a ${time} time: ${messageOf(error)}. Keep what belongs to one kernel inside apply().`),
        );
    },
  },
];

/** Checks the changes of the process after a kernel was started, used and closed. */
async function checkChanges(subject: Subject, check: (changes: ProcessChanges) => readonly [boolean, string]): Promise<void> {
  const changes = await subject.once('changes', async () => {
    const before = processState();
    await subject.withKernel(async (kit) => void (await kit.call('contract_echo').catch(() => {})));
    return changesBetween(before, processState());
  });
  failIf(...check(changes));
}
